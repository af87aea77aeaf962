import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { menuKeyboard } from "../../../adapters/telegram/keyboard.ts";
import { TELEGRAM } from "../../../adapters/telegram/limits.ts";
import { cut, escapeHtml, progressLines, render } from "../../../adapters/telegram/render.ts";
import { action } from "../../../src/chat/actions.ts";
import type { JobSummary, ProgressView, View } from "../../../src/chat/views.ts";
import { LOCALES, translator } from "../../../src/i18n.ts";
import { parseHtml } from "../../support/telegram/html.ts";

const say = translator("en");
const id = "0mwprskck334cb5f05e";
const job: JobSummary = { id, operation: "video", values: {}, createdAt: 1 };
const running = (more: Partial<ProgressView>): ProgressView => ({
  kind: "progress",
  job,
  phase: "running",
  ...more,
});
const notice = (text: string): View => ({ kind: "notice", text: { key: "fact.text", params: { text } } });
const labels = (view: View) =>
  render(say, view).keyboard.inline_keyboard.map((row) => row.map(({ text }) => text));

const problem = (charged: number | null, more: object = {}) =>
  render(say, {
    kind: "problem",
    problem: { code: "job_failed", params: { reason: "<no>" } },
    charged,
    ...more,
  }).html;

const item = (text: string, ...actions: ReturnType<typeof action>[]) => ({
  title: { key: "jobs.line", params: { operation: "video", text } } as const,
  detail: { key: "fact.text", params: { text: "yesterday" } } as const,
  actions,
});

describe("a text", () => {
  it("is shown as it is, whatever is in it, and cut where Telegram would refuse it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 1, max: 30 }),
        (text, times) => {
          const { html } = render(say, notice(text.repeat(times)));
          const shown = parseHtml(html);
          expect(shown.entities).toEqual([]);
          expect(shown.text).toBe(cut(text.repeat(times), TELEGRAM.text));
        },
      ),
    );
  });

  it("that is cut says so, and is never cut inside of a character or an entity", () => {
    expect(cut("abcd", 4)).toBe("abcd");
    expect(cut("abcde", 4)).toBe("abc…");
    expect(cut("ab cde", 4)).toBe("ab…");
    const family = "👨‍👩‍👧";
    expect(cut(`a${family}b`, 5)).toBe("a…");
    const { html } = render(say, notice("&".repeat(5_000)));
    expect(html).toBe(`${"&amp;".repeat(TELEGRAM.text - 1)}…`);
  });

  it("may stand inside of a tag", () => {
    expect(escapeHtml(`<a href="x">&</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  });
});

describe("a notice", () => {
  it("has its facts as lines", () => {
    const facts = [
      { label: "fact.balance", value: { key: "fact.tokens", params: { tokens: 4.5 } } },
    ] as const;
    expect(render(say, { kind: "notice", text: { key: "balance.own" }, facts }).html).toBe(
      "You pay with your own key.\n\nBalance: 4.5 tokens",
    );
  });
});

describe("progress", () => {
  it.each([
    [{ percent: 0 }, "▱▱▱▱▱▱▱▱▱▱ 0 %"],
    [{ percent: 40, expectedAt: 21_000 }, "▰▰▰▰▱▱▱▱▱▱ 40 % · about 20 sec left"],
    [{ percent: 100 }, "▰▰▰▰▰▰▰▰▰▰ 100 %"],
    [{ percent: 130 }, "▰▰▰▰▰▰▰▰▰▰ 130 %"],
    [{ expectedAt: 21_000 }, "about 20 sec left"],
    [{ expectedAt: 500 }, "In the making…"],
    [{ phase: "queued", ahead: 2 }, "⏳ Waiting: 2 jobs go first"],
    [{ phase: "queued", ahead: 0 }, "⏳ Next in line"],
    [{ phase: "checking", percent: 40 }, "The answer got lost; checking whether it was accepted…"],
  ] as const)("of %j says %s", (more, line) => {
    expect(progressLines(say, running(more), 1_000)).toEqual(["Photo to video", line]);
  });
});

describe("a problem", () => {
  it("says what it cost, where there is anything to say", () => {
    expect(problem(2.7, { job })).toBe("The service could not make this: &lt;no&gt;\nIt cost 2.7 tokens.");
    expect(problem(0, { job })).toContain("\nIt cost nothing.");
    expect(problem(null)).toContain("/balance");
    expect(problem(0)).toBe("The service could not make this: &lt;no&gt;");
  });
});

describe("a menu", () => {
  const menu = {
    kind: "menu",
    title: { key: "jobs.title" },
    items: [
      item(
        "a",
        action("show", id, "action.show", "primary"),
        action("delete", id, "action.delete", "danger"),
      ),
      item("b"),
      item("c", action("change", id, "action.change")),
    ],
    actions: [action("jobs", id, "action.older")],
  } as const satisfies View;

  it("numbers its lines, and each row of buttons by its line", () => {
    const { html } = render(say, menu);
    expect(html.split("\n").slice(2, 4)).toEqual(["1. Photo to video: a", "    yesterday"]);
    expect(labels(menu)).toEqual([["1. Show again", "Delete"], ["3. Change"], ["Older"]]);
    expect(menuKeyboard(say, [])).toEqual({ inline_keyboard: [] });
  });
});

describe("buttons", () => {
  it("begin with the one that spends, alone in its row", () => {
    const actions = [
      action("change", id, "action.change"),
      action("new-seed", id, "action.new_seed"),
      action("again", id, "action.again", "primary"),
      action("delete", id, "action.delete", "danger"),
    ];
    expect(labels({ ...running({}), actions })).toEqual([["Again"], ["Change", "New variation"], ["Delete"]]);
  });
});

describe("a result", () => {
  it.each(LOCALES)("says in %s what it was, what it cost, what is left and how long it took", (locale) => {
    const view = {
      kind: "result",
      job,
      media: [],
      cost: 2.7,
      balance: 97.3,
      tookMs: 9_000,
      actions: [],
    } as const;
    const { html } = render(translator(locale), view);
    expect(html).toMatch(/2[.,]7.*97[.,]3.*9/);
    expect(html.split("\n")).toHaveLength(2);
  });

  it("leaves out what is not known", () => {
    const view = {
      kind: "result",
      job,
      media: [],
      cost: null,
      balance: null,
      tookMs: 9_000,
      actions: [],
    } as const;
    expect(render(say, view).html).toBe("Photo to video: done\ntook 9 sec");
  });
});
