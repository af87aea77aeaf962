import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const SECRET = "sk-very-secret-key";

function connect(terminal: Terminal, argv: readonly string[] = []) {
  const script = scriptedRuntime({
    command: async (cli, origin) =>
      void (await cli.deliver(origin.address, { kind: "notice", text: { key: "connect.done" } })),
  });
  return { ...script, code: runCli(["connect", ...argv], script.runtime, terminal) };
}

const said = ({ stdout, stderr }: Terminal) => stdout.text + stderr.text;

describe("a secret", () => {
  it("is read from a pipe", async () => {
    const terminal = new Terminal();
    const { code, asked } = connect(terminal);
    terminal.stdin.end(`${SECRET}\n`);
    expect(await code).toBe(EXIT.ok);
    expect(asked[0]).toMatchObject({ name: "connect", values: { key: SECRET } });
    expect(said(terminal)).not.toContain(SECRET);
  });

  it("is typed hidden at a terminal, and nothing of the question reaches standard output", async () => {
    const terminal = new Terminal({ tty: true });
    const { code, asked, state } = connect(terminal, ["--json"]);
    await expect.poll(() => terminal.stderr.text).toContain("API key");
    expect(state.opened).toBe(0);
    terminal.stdin.write(`${SECRET}\r`);
    expect(await code).toBe(EXIT.ok);
    expect(asked[0]?.values).toEqual({ key: SECRET });
    expect(said(terminal)).not.toContain(SECRET);
    expect(terminal.events.map(({ event }) => event)).toEqual(["notice"]);
  });

  it("may be withheld with Ctrl-C", async () => {
    const terminal = new Terminal({ tty: true });
    const { code, state } = connect(terminal);
    await expect.poll(() => terminal.stderr.text).toContain("API key");
    terminal.stdin.write("\u0003");
    expect(await code).toBe(EXIT.interrupted);
    expect(state.opened).toBe(0);
  });

  it.each([[[`--key=${SECRET}`]], [["--key", SECRET]], [[SECRET]]])(
    "is no flag and no argument: %j",
    async (argv) => {
      const terminal = new Terminal();
      const { code, state } = connect(terminal, argv);
      expect(await code).toBe(EXIT.refused);
      expect(said(terminal)).not.toContain(SECRET);
      expect(state.opened).toBe(0);
    },
  );

  it.each([
    ["connect", SECRET],
    ["keys", "add", "second", SECRET],
    ["partner", "key", "shop", SECRET],
  ])("that was written into the call is in the shell's history, says reelay %s", async (...argv) => {
    const terminal = new Terminal();
    expect(await runCli(argv, scriptedRuntime({}).runtime, terminal)).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("asks for it, or reads it from a pipe");
    expect(terminal.stderr.text).toContain("history");
    expect(said(terminal)).not.toContain(SECRET);
  });
});
