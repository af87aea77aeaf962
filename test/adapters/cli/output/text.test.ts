import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CliEvent } from "../../../../adapters/cli/output/events.ts";
import { textPrinter } from "../../../../adapters/cli/output/printer.ts";
import { problemOf } from "../../../../adapters/cli/output/problems.ts";
import { eventOf } from "../../../../adapters/cli/output/view-events.ts";
import type { ProgressView } from "../../../../src/seam/views.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import { Terminal } from "../support/terminal.ts";

const quote = { event: "quote", operation: "video", balance: 100, sandbox: false } as const;
const key = "fact.text";

/** What a person at a terminal reads. */
function read(...events: readonly CliEvent[]) {
  const terminal = new Terminal({ tty: true });
  const printer = textPrinter(terminal, translator("en"));
  for (const event of events) printer.print(event);
  printer.close();
  return { out: terminal.stdout.text, err: terminal.stderr.text };
}

/** What stands in the line that is wiped again and again. */
const lastLine = (text: string) => text.slice(text.lastIndexOf("\u001b[2K") + "\u001b[2K".length);

describe("text for a person", () => {
  it.each(LOCALES)("names the way on from a key that cannot be read, in %s", (locale) => {
    const problem = problemOf(translator(locale), new ReelayError("key_unreadable"));
    expect(read(problem).err).toContain("`reelay doctor`");
  });

  it.each<[string, CliEvent, string]>([
    ["an exact price", { ...quote, tokens: 2.5, basis: "exact" }, "Tokens needed: 2.5 · Tokens left: 100\n"],
    [
      "a learned price",
      { ...quote, tokens: 2, basis: "learned", balance: null },
      "Tokens needed: about 2, what the same choices cost last time\n",
    ],
    [
      "no price, play money",
      { ...quote, tokens: null, basis: "unknown", sandbox: true },
      "Sandbox: the tokens are play money.\nThe price is known once the service accepts the job · Tokens left: 100\n",
    ],
    [
      "a result",
      {
        event: "result",
        job: "j1",
        operation: "video",
        files: ["/a/clip.mp4"],
        cost: 2,
        balance: 98,
        tookMs: 61_000,
        actions: [
          { token: "again:j1", label: "Again" },
          { token: "new-seed:j1", label: "New variation" },
        ],
      },
      "Saved: /a/clip.mp4\nTokens charged: 2 · Tokens left: 98 · Took 1 min 1 sec\n" +
        "  Again          reelay press again:j1\n  New variation  reelay press new-seed:j1\n",
    ],
    [
      "a notice with facts",
      {
        event: "notice",
        key,
        params: {},
        text: "Hello.",
        facts: [
          { name: "fact.balance", label: "Balance", value: { key, params: {}, text: "5 tokens" } },
          { name: "stats.pending", label: "In progress", value: { key, params: {}, text: "1" } },
        ],
        actions: [],
      },
      "Hello.\n  Balance      5 tokens\n  In progress  1\n",
    ],
    [
      "a menu",
      {
        event: "menu",
        key,
        params: {},
        text: "Jobs:",
        items: [
          {
            title: { key, params: {}, text: "Video: zoom" },
            detail: { key, params: {}, text: "finished" },
            actions: [{ token: "show:j1", label: "Show again" }],
          },
        ],
        actions: [{ token: "jobs:j1", label: "Older" }],
      },
      "Jobs:\n\nVideo: zoom\n  finished\n  Show again  reelay press show:j1\n\n  Older  reelay press jobs:j1\n",
    ],
    [
      "the server",
      { event: "started", url: "http://127.0.0.1:8787", sandbox: true },
      "Reelay is at http://127.0.0.1:8787\nThis is the sandbox: the service is emulated, and its " +
        "tokens are play money. Set REELAY_API_URL to use the real service.\nCtrl-C stops it.\n",
    ],
    [
      "choices",
      {
        event: "choices",
        choices: [
          { value: "zoom", title: "Slow zoom", category: "Camera", marks: [], variants: 2 },
          { value: "x", title: "X", description: "Plain", marks: [], variants: 0 },
        ],
      },
      "  zoom  Slow zoom  Camera  (2)\n  x     X          Plain\n",
    ],
    ["no choices", { event: "choices", choices: [] }, "Nothing found. Try another word.\n"],
    ["jobs taken over", { event: "resumed", count: 2 }, "Resuming 2 jobs.\n"],
    [
      "an interruption before anything began",
      { event: "interrupted", jobs: [], sent: false },
      "Interrupted. If a job was started, `reelay resume` continues it.\n",
    ],
  ])("shows %s", (_name, event, text) => {
    expect(read(event).out).toBe(text);
  });

  it.each([
    [0, ""],
    [2.5, "Tokens charged: 2.5\n"],
    [null, "It is not known whether this cost anything; `reelay balance` shows it.\n"],
  ])("says to standard error what a failure cost: %s", (charged, cost) => {
    const { out, err } = read({
      event: "problem",
      code: "network",
      params: {},
      text: "No.",
      charged,
      exitCode: 3,
      actions: [],
    });
    expect(err).toBe(`No.\n${cost}`);
    expect(out).toBe("");
  });

  it("lets nothing from outside steer the terminal", () => {
    const text = "\u001b]0;owned\u0007\u001b[2J\u202eevil\r\nline";
    const { err } = read({
      event: "problem",
      code: "job_failed",
      params: {},
      text,
      charged: 0,
      exitCode: 4,
      actions: [],
    });
    expect(err).toMatch(/^[^\p{Cc}\u202e]*\n$/u);
  });
});

describe("the bar", () => {
  const job = { id: "j1", operation: "video", values: {}, createdAt: 0 };
  const step = (state: Omit<ProgressView, "kind" | "job">) =>
    eventOf(translator("en"), { kind: "progress", job, ...state }, []);

  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("shows how far it is and when the end is expected, and moves by itself", () => {
    const terminal = new Terminal({ tty: true });
    const printer = textPrinter(terminal, translator("en"));
    printer.print(step({ phase: "running", percent: 50, expectedAt: 9_000 }));
    expect(lastLine(terminal.stdout.text)).toMatch(/^\S ━{12}─{12} 50% Being made · about 9 sec left$/);
    vi.advanceTimersByTime(4_000);
    expect(lastLine(terminal.stdout.text)).toMatch(/^\S ━{12}─{12} 50% Being made · about 5 sec left$/);
    vi.advanceTimersByTime(6_000);
    expect(lastLine(terminal.stdout.text)).toMatch(/^\S ━{12}─{12} 50% Being made$/);
    printer.close();
  });

  it.each<[CliEvent, string]>([
    [step({ phase: "queued", ahead: 1 }), "Waiting: 1 job ahead"],
    [step({ phase: "queued", ahead: 0 }), "Next in line"],
    [step({ phase: "checking" }), "The answer was lost; checking whether the job was accepted"],
    [step({ phase: "sending", percent: 99 }), "Done, saving it"],
  ])("says where a job is: %j", (event, words) => {
    const terminal = new Terminal({ tty: true });
    const printer = textPrinter(terminal, translator("en"));
    printer.print(event);
    expect(lastLine(terminal.stdout.text)).toMatch(new RegExp(`^\\S ${words}$`));
    printer.close();
  });

  it("says once, and whole, why what is finished is waited for", () => {
    const terminal = new Terminal({ tty: true });
    Object.assign(terminal.stdout, { columns: 20 });
    const printer = textPrinter(terminal, translator("en"));
    const sentence = translator("en")("cli.phase.awaiting_key");
    printer.print(step({ phase: "running", percent: 1 }));
    for (let time = 0; time < 3; time += 1) printer.print(step({ phase: "awaiting_key" }));
    expect(terminal.stderr.text).toBe(`${sentence}\n`);
    printer.print(step({ phase: "awaiting_file" }));
    printer.print(step({ phase: "awaiting_key" }));
    expect(terminal.stderr.text.split(sentence)).toHaveLength(3);
    printer.close();
  });

  it("goes before anything else is said, and does not come back", () => {
    const terminal = new Terminal({ tty: true });
    const printer = textPrinter(terminal, translator("en"));
    printer.print(step({ phase: "running" }));
    printer.print({ event: "link", url: "http://x" });
    vi.advanceTimersByTime(5_000);
    expect(lastLine(terminal.stdout.text)).toBe("http://x\n");
  });

  it("never wraps, because a second line could not be wiped", () => {
    const terminal = new Terminal({ tty: true });
    Object.assign(terminal.stdout, { columns: 20 });
    const printer = textPrinter(terminal, translator("en"));
    printer.print(step({ phase: "running", percent: 1 }));
    expect(lastLine(terminal.stdout.text)).toHaveLength(19);
    printer.close();
  });
});
