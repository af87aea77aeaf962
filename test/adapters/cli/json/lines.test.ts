import { z } from "zod";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { LINES } from "../../../../adapters/cli/json/lines.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { lineOf } from "../../../../adapters/cli/output/line-of.ts";
import { eventOf } from "../../../../adapters/cli/output/view-events.ts";
import { type JobRecord, NO_OUTLOOK } from "../../../../src/seam/access/job-record.ts";
import { translator } from "../../../../src/common/i18n.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const record = (id: string): JobRecord => ({
  id,
  user: "cli:me",
  operation: "video",
  values: { prompt: "slow zoom", image: { surface: "cli", id: "/a.jpg" } },
  tags: { platform: "cli", inAppUsername: "me" },
  mature: false,
  address: { folder: "/" },
  receipt: null,
  status: "completed",
  phase: "completed",
  progress: null,
  cost: 6.5,
  problem: null,
  createdAt: 1,
  acceptedAt: 2,
  endedAt: 3,
  ...NO_OUTLOOK,
});

/** What a call prints, and how it ends. */
async function called(
  argv: readonly string[],
  script: Parameters<typeof scriptedRuntime>[0] = {},
  tty = false,
) {
  const terminal = new Terminal({ tty });
  const { runtime, asked } = scriptedRuntime(script);
  const code = await runCli(argv, runtime, terminal);
  return { code, terminal, asked };
}

describe("a line of JSON", () => {
  it("says which version it is of, and nothing that is made for people to read", () => {
    const say = translator("de");
    const facts = [{ label: "fact.balance", value: { key: "fact.tokens", params: { tokens: 5 } } }] as const;
    const actions = [{ token: "jobs:", label: { key: "action.older" }, style: "primary" }] as const;
    const notice = { kind: "notice", text: { key: "balance.sandbox" }, facts, actions } as const;
    expect(lineOf(eventOf(say, notice, []))).toEqual({
      version: 1,
      event: "notice",
      key: "balance.sandbox",
      params: {},
      facts: [{ name: "fact.balance", key: "fact.tokens", params: { tokens: 5 } }],
      actions: ["jobs:"],
    });
    const title = { key: "jobs.line_bare", params: { operation: "video" } } as const;
    const items = [{ job: "j1", title, detail: { key: "jobs.detail" }, actions: [] }] as const;
    expect(lineOf(eventOf(say, { kind: "menu", title: { key: "jobs.title" }, items }, []))).toEqual({
      version: 1,
      event: "menu",
      key: "jobs.title",
      params: {},
      items: [{ job: "j1", title, detail: { key: "jobs.detail", params: {} }, actions: [] }],
      actions: [],
    });
  });

  it("says of a mistake in the call which one it is", async () => {
    const { code, terminal } = await called(["jobs", "--nope=secret", "--json"]);
    expect(code).toBe(EXIT.refused);
    expect(terminal.event("problem")).toMatchObject({
      code: "usage",
      params: { mistake: "unknownOption", what: "--nope" },
    });
    expect(terminal.stdout.text).not.toContain("secret");
  });

  it("is described for every event, under a name of its own", () => {
    const names = LINES.map(({ shape }) => shape.event.value);
    expect(new Set(names).size).toBe(names.length);
    for (const one of LINES) expect(one.meta()?.description, one.shape.event.value).toBeTruthy();
  });
});

describe("reelay schema", () => {
  it("prints a JSON Schema that the lines fit, and that fields of later versions do not break", async () => {
    const { code, terminal } = await called(["schema"]);
    expect(code).toBe(EXIT.ok);
    const schema = z.fromJSONSchema(JSON.parse(terminal.stdout.text));
    const line = { version: 1, event: "link", url: "http://h:1/", later: true };
    expect(schema.safeParse(line).success).toBe(true);
    expect(schema.safeParse({ ...line, version: 2 }).success).toBe(false);
    expect(schema.safeParse({ ...line, url: 1 }).success).toBe(false);
  });
});

describe("reelay jobs", () => {
  it("lists all jobs with their ids for programs, a hundred in a line", async () => {
    const all = Array.from({ length: 101 }, (_, nth) => record(`j${nth}`));
    const { code, terminal, asked } = await called(["jobs", "--json"], {
      list: async (_user, { before, limit }) => {
        const from = before === undefined ? 0 : 1 + all.findIndex(({ id }) => id === before);
        return all.slice(from, from + limit);
      },
    });
    expect(code).toBe(EXIT.ok);
    expect(asked).toEqual([]);
    const jobs = terminal.events.flatMap((line) => (line.event === "jobs" ? line.jobs : []));
    expect(terminal.events.length).toBe(2);
    expect(jobs.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(jobs[0]).toEqual({
      id: "j0",
      operation: "video",
      values: { prompt: "slow zoom", image: { surface: "cli", id: "/a.jpg" } },
      status: "completed",
      phase: "completed",
      progress: null,
      cost: 6.5,
      problem: null,
      createdAt: 1,
      acceptedAt: 2,
      endedAt: 3,
      ahead: null,
      expectedAt: null,
    });
  });

  it("is an empty list where there are none", async () => {
    const { terminal } = await called(["jobs"], { list: async () => [] });
    expect(terminal.events).toEqual([{ version: 1, event: "jobs", jobs: [] }]);
  });

  it("shows people what can be done with each", async () => {
    const { asked } = await called(
      ["jobs"],
      {
        command: (cli, { address }) =>
          void cli.deliver(address, { kind: "notice", text: { key: "jobs.none" } }),
      },
      true,
    );
    expect(asked).toMatchObject([{ name: "jobs" }]);
  });
});

describe("reelay settings", () => {
  const fields = COMMAND_SPECS.find(({ name }) => name === "settings")?.fields ?? [];
  const form = {
    id: "settings",
    title: { key: "command.settings" },
    submit: { key: "form.save" },
    fields,
    values: { locale: "de" },
  } as const;
  const command = (cli: Parameters<NonNullable<Parameters<typeof scriptedRuntime>[0]["command"]>>[0]) =>
    cli.collect({}, form);

  it("says what is set, and by which commands it is changed", async () => {
    const { code, terminal } = await called(["settings"], { command }, true);
    expect(code).toBe(EXIT.ok);
    expect(terminal.stdout.text).toContain("Deutsch");
    expect(terminal.stdout.text).toContain("reelay settings --locale en|de|");
    expect(terminal.stdout.text).toMatch(/not set +reelay settings --spend-below NUMBER/);
    expect(terminal.stdout.text).not.toContain("reelay run");
  });

  it("gives programs the values, and a call that exists", async () => {
    const { terminal } = await called(["settings", "--json"], { command });
    expect(terminal.event("form")).toEqual({
      version: 1,
      event: "form",
      name: "settings",
      values: { locale: "de" },
      command: "reelay settings --locale de",
    });
    const [, ...argv] = terminal.event("form").command.split(" ");
    const { asked } = await called(argv, { command });
    expect(asked).toMatchObject([{ name: "settings", values: { locale: "de" } }]);
  });
});
