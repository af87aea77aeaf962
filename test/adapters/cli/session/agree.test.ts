import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { StatementName } from "../../../../src/seam/values.ts";
import type { MessageKey } from "../../../../src/common/i18n.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import type { Surface } from "../../../../src/seam/surface/surface.ts";
import type { Action, FileView, NoticeView } from "../../../../src/seam/views.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { testFolder } from "../support/folder.ts";
import { media, result, scriptedRuntime } from "../support/runtime.ts";
import { Terminal, type TerminalOptions } from "../support/terminal.ts";

const RUN = ["run", "video", "--image", "photo.jpg", "--prompt", "x"];
const YES = "y";
const NO = "n";
const ENTER = "\r";
const CTRL_C = "\u0003";

/** What the core asks. */
const question = (asks: StatementName): NoticeView => ({
  kind: "notice",
  text: { key: `statement.${asks}` },
  asks,
  facts: [
    { label: "fact.own_terms", value: { key: "fact.text", params: { text: "https://host.example/terms" } } },
  ],
  actions: [{ token: `agree:${asks}`, label: { key: `action.agree.${asks}` }, style: "primary" }],
});

/** Runs a call whose core asks for these statements, one after the other, and then makes it. */
async function call(statements: readonly StatementName[], argv: readonly string[], options: TerminalOptions) {
  const terminal = new Terminal({ cwd: await testFolder(), ...options });
  const left = [...statements];
  const script = scriptedRuntime({
    stated: [],
    runtime: { config: async () => readConfig({ REELAY_TERMS_URL: "https://own.example/terms" }) },
    command: async (cli, { address }) => {
      const next = left.shift();
      await cli.deliver(address, next ? question(next) : result([media("a film")]));
    },
    act: async (cli, { address }) => {
      const next = left.shift();
      await cli.deliver(address, next ? question(next) : result([media("a film")]));
    },
  });
  return { ...script, terminal, code: runCli(argv, script.runtime, terminal) };
}

/** Waits for a question at the terminal, and answers it. */
async function answer({ stdin, stderr }: Terminal, words: string, keys: string) {
  await expect.poll(() => stderr.text).toContain(words);
  stdin.write(keys);
}

const TERMS = "What you make here is your responsibility";
const FACES = "puts one person's face on another";

/** A question, with a button. */
const asking = (key: MessageKey, action: Action): NoticeView => ({
  kind: "notice",
  text: { key },
  actions: [action],
});

/** Makes a call that is answered with a view. */
const say = async (argv: readonly string[], view: NoticeView, options: TerminalOptions) => {
  const terminal = new Terminal({ cwd: await testFolder(), ...options });
  const tell = (cli: Surface, { address }: Origin) => void cli.deliver(address, view);
  const { runtime } = scriptedRuntime({ command: tell, act: tell });
  return { code: await runCli(argv, runtime, terminal), terminal };
};

describe("what takes something away once it is pressed", () => {
  const now = { token: "forget-now:5", label: { key: "action.forget_now" }, style: "danger" } as const;
  const remove = { token: "delete-now:j1", label: { key: "action.delete_now" }, style: "danger" } as const;
  const calls: readonly (readonly [argv: readonly string[], asked: NoticeView])[] = [
    [["forget"], asking("forget.ask", now)],
    [["press", "delete:j1"], asking("delete.ask", remove)],
  ];

  it.each(calls)(
    "is not done by %j where nobody can be asked: it fails, and says how it is done",
    async (argv, view) => {
      const { code, terminal } = await say(argv, view, {});
      const [action] = view.actions ?? [];
      expect(code).toBe(EXIT.refused);
      expect(terminal.event("notice")).toMatchObject({ key: view.text.key });
      expect(terminal.event("problem")).toMatchObject({ code: "unconfirmed", actions: [action?.token] });
      expect(terminal.stderr.text).toContain("nothing was erased or deleted yet");
      expect(terminal.stderr.text).toContain(`reelay press ${action?.token}`);
    },
  );

  it.each(calls)("is asked by %j at a terminal, which is no failure", async (argv, view) => {
    const { code, terminal } = await say(argv, view, { tty: true });
    expect({ code, stderr: terminal.stderr.text }).toEqual({ code: EXIT.ok, stderr: "" });
  });

  it("was done where it was pressed, also where more can be pressed", async () => {
    const here = { ...now, token: "delete-all-here:5" };
    const { code } = await say(["press", "delete-all-now:5"], asking("delete.done", here), {});
    expect(code).toBe(EXIT.ok);
    expect((await say(["privacy"], asking("privacy.text", { ...now, token: "forget:" }), {})).code).toBe(
      EXIT.ok,
    );
  });
});

describe("a deletion that takes a key that is not connected", () => {
  const here = { token: "delete-here:j1", label: { key: "action.delete_here" }, style: "danger" } as const;
  const calls: readonly (readonly [argv: readonly string[], key: MessageKey])[] = [
    [["press", "delete:j1"], "delete.no_key"],
    [["press", "delete-now:j1"], "delete.no_key"],
    [["press", "delete-all-now:5"], "delete_all.ask_no_key"],
  ];

  it.each(calls)("fails, and says what can be done: %j", async (argv, key) => {
    const { code, terminal } = await say(argv, asking(key, here), {});
    expect(code).toBe(EXIT.service);
    const said = { code: "deletion_needs_key", actions: [here.token], charged: 0 };
    expect(terminal.event("problem")).toMatchObject(said);
    expect(terminal.stderr.text).toContain("not connected or not accepted");
    expect(terminal.stderr.text).toContain("reelay press delete-here:j1");
    expect((await say(argv, asking(key, here), { tty: true })).code).toBe(EXIT.service);
  });
});

describe("what has to be stated", () => {
  it("is asked on a terminal, one after the other, and then it goes on", async () => {
    const { terminal, code, pressed } = await call(["terms", "faces"], [...RUN, "--json"], { tty: true });
    await answer(terminal, TERMS, YES);
    await answer(terminal, FACES, YES);
    expect(await code).toBe(EXIT.ok);
    expect(pressed.map(({ token }) => token)).toEqual(["agree:terms", "agree:faces"]);
    expect(terminal.stderr.text).toContain("https://host.example/terms");
    expect(terminal.events.map(({ event }) => event)).toEqual(["quote", "result"]);
  });

  it.each([NO, ENTER])("is not stated by %j: nothing is sent", async (keys) => {
    const { terminal, code, pressed } = await call(["terms"], RUN, { tty: true });
    await answer(terminal, TERMS, keys);
    expect(await code).toBe(EXIT.refused);
    expect(pressed).toEqual([]);
    expect(terminal.stderr.text).toContain("Nothing was sent, and nothing was charged.");
  });

  it("is not stated by Ctrl-C either", async () => {
    const { terminal, code, pressed } = await call(["terms"], RUN, { tty: true });
    await answer(terminal, TERMS, CTRL_C);
    expect(await code).toBe(EXIT.interrupted);
    expect(pressed).toEqual([]);
  });

  it("is not waited for any longer than the process is wanted", async () => {
    const { terminal, code } = await call(["terms"], RUN, { tty: true });
    await expect.poll(() => terminal.stderr.text).toContain(TERMS);
    terminal.interrupt();
    expect(await code).toBe(EXIT.interrupted);
  });

  it("is said all at once where nobody can be asked, with the way to state it", async () => {
    const { terminal, code, asked } = await call([], RUN, {});
    expect(await code).toBe(EXIT.refused);
    expect(asked).toEqual([]);
    const { code: problem, params } = terminal.event("problem");
    expect({ problem, names: params["names"] }).toEqual({ problem: "not_agreed", names: "terms,consent" });
    expect(terminal.stderr.text).toContain("add --agree terms,consent to the call");
    expect(terminal.stderr.text).toContain(TERMS);
    expect(terminal.stderr.text).toContain("https://own.example/terms");
  });

  it("comes with the call where its flag says so", async () => {
    const { code, asked } = await call([], [...RUN, "--agree", "terms, consent"], {});
    expect(await code).toBe(EXIT.ok);
    expect(asked[0]?.origin.agreed).toEqual(["terms", "consent"]);
  });

  it("comes with the command that asks for nothing else", async () => {
    const refused = await call(["adult"], ["adult"], {});
    expect(await refused.code).toBe(EXIT.refused);
    expect(refused.terminal.stderr.text).toContain("add --agree adult to the call");
    const { code, pressed } = await call(["adult"], ["adult", "--agree", "adult"], {});
    expect(await code).toBe(EXIT.ok);
    expect(pressed.map(({ token }) => token)).toEqual(["agree:adult"]);
  });

  it("is refused where it is nothing that could be stated", async () => {
    const { terminal, code, state } = await call([], [...RUN, "--agree", "everything"], {});
    expect(await code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("The value of --agree");
    expect(state.opened).toBe(0);
  });

  it("keeps a button from doing anything, and says which one answers", async () => {
    const { terminal, code } = await call(["faces"], ["press", "again:j1"], {});
    expect(await code).toBe(EXIT.refused);
    const { params, actions } = terminal.event("problem");
    expect(params["names"]).toBe("faces");
    expect(actions).toEqual(["agree:faces"]);
    const again = await call([], ["press", "again:j1", "--agree", "faces"], {});
    expect(await again.code).toBe(EXIT.ok);
    expect(again.pressed[0]?.origin.agreed).toEqual(["faces"]);
  });
});

describe("a file for the person", () => {
  const file: FileView = {
    kind: "file",
    text: { key: "privacy.text" },
    file: { name: "reelay-export.json", type: "application/json", content: '{\n  "a": "\u009b1m"\n}' },
  };

  async function take(argv: readonly string[], options: TerminalOptions = {}) {
    const cwd = await testFolder();
    const terminal = new Terminal({ cwd, ...options });
    const { runtime, state } = scriptedRuntime({
      command: async (cli, { address }) => void (await cli.deliver(address, file)),
    });
    return { cwd, terminal, state, code: await runCli(["export", ...argv], runtime, terminal) };
  }

  it("goes into a pipe as it is, and what is said of it beside that", async () => {
    const { terminal, code } = await take([]);
    expect(code).toBe(EXIT.ok);
    expect(terminal.stdout.text).toBe(`${file.file.content}\n`);
    expect(terminal.stderr.text).not.toBe("");
  });

  it("cannot steer a terminal", async () => {
    const { terminal } = await take([], { tty: true });
    expect(terminal.stdout.text).toBe('{\n  "a": " 1m"\n}\n');
  });

  it("is an event for whoever asks for events", async () => {
    const { terminal } = await take(["--json"]);
    expect(terminal.event("file")).toMatchObject({
      name: file.file.name,
      path: null,
      content: file.file.content,
    });
  });

  it("is saved where --out says, over nothing that is there", async () => {
    const { cwd, terminal, code } = await take(["--out", "me.json"]);
    expect(code).toBe(EXIT.ok);
    expect(await readFile(join(cwd, "me.json"), "utf8")).toBe(file.file.content);
    expect(terminal.event("file")).toMatchObject({ path: join(cwd, "me.json"), content: null });
    const refused = await take(["--out", "photo.jpg"]);
    expect(refused.code).toBe(EXIT.refused);
    expect(refused.state.opened).toBe(0);
  });

  it("has a name of its own in a folder", async () => {
    const { cwd } = await take(["--out", "."]);
    expect(await readFile(join(cwd, file.file.name), "utf8")).toBe(file.file.content);
  });
});
