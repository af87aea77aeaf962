import { expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import type { KeyDesk, PoolKeyEntry } from "../../../../src/seam/access/key-pool.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const SECOND: PoolKeyEntry = {
  name: "second",
  state: "empty",
  since: Date.parse("2026-03-10T12:00:00Z"),
  weight: 2,
  tier: "pro",
  left: 1.5,
  jobs: 3,
};

/** Runs a command with a desk that writes down what is asked of it. */
async function reelay(
  args: readonly string[],
  options: { readonly typed?: string; readonly tty?: boolean; readonly listed?: PoolKeyEntry } = {},
) {
  const asked: unknown[] = [];
  const does =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      asked.push([name, ...given]);
      return SECOND;
    };
  const desk: KeyDesk = {
    list: async () => [options.listed ?? SECOND],
    add: does("add"),
    set: does("set"),
    pause: does("pause"),
    resume: does("resume"),
    async remove(name) {
      throw new ReelayError("key_of_environment", { name });
    },
  };
  const terminal = new Terminal({ env: { LANG: "en" }, tty: options.tty ?? false });
  const { runtime } = scriptedRuntime({ runtime: { keys: (work) => work(desk) } });
  if (options.typed !== undefined) terminal.stdin.end(options.typed);
  const code = await runCli(["keys", ...args], runtime, terminal);
  return { asked, code, said: terminal.stdout.text };
}

it("adds a key that comes through a pipe, with what is said of it, and shows none", async () => {
  const { asked, code, said } = await reelay(["add", "second", "--weight", "2", "--tier", "pro"], {
    typed: "the-key-of-two\n",
  });
  expect(code).toBe(EXIT.ok);
  expect(asked).toEqual([["add", "second", "the-key-of-two", { weight: 2, tier: "pro" }]]);
  expect(JSON.parse(said)).toMatchObject({ event: "key", key: { ...SECOND } });
  expect(said).not.toContain("the-key-of-two");
});

it("lists them, and does with one what is asked", async () => {
  expect(JSON.parse((await reelay(["list"])).said)).toMatchObject({ event: "keys", keys: [SECOND] });
  expect((await reelay(["set", "second", "--weight", "7"])).asked).toEqual([
    ["set", "second", { weight: 7 }],
  ]);
  expect((await reelay(["pause", "second"])).asked).toEqual([["pause", "second"]]);
  expect((await reelay(["resume", "second"])).asked).toEqual([["resume", "second"]]);
});

it("says to a person how each key stands", async () => {
  const { said } = await reelay(["list"], { tty: true });
  for (const part of ["second", "too few tokens: 1.5", "weight 2", "pro", "jobs under way: 3"])
    expect(said).toContain(part);
});

it("marks one that cannot be read any more, and says what to do", async () => {
  const listed = { ...SECOND, state: "unreadable", left: null } as const;
  const { said } = await reelay(["list"], { tty: true, listed });
  expect(said).toMatch(/second +cannot be read any more/);
  expect(said).toContain("`reelay doctor` says how");
  expect(JSON.parse((await reelay(["list"], { listed })).said)).toMatchObject({ keys: [listed] });
});

it.each([
  [["add", "second", "--weight", "0"], "value_invalid"],
  [["add", "second", "--tier", "boss"], "value_invalid"],
  [["remove", "REELAY_API_KEY"], "key_of_environment"],
  [["pause"], "usage"],
])("refuses %j: %s", async (args, code) => {
  const refused = await reelay(args, { typed: "" });
  expect(refused.code).toBe(EXIT.refused);
  expect(JSON.parse(refused.said)).toMatchObject({ event: "problem", code });
  expect(refused.asked).toEqual([]);
});
