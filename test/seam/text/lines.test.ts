import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { JobSummary, ProgressView, ResultView, View } from "../../../src/seam/views.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";

const say = translator("en");
const job: JobSummary = { id: "0mwprskck334cb5f05e", operation: "video", values: {}, createdAt: 1 };
const lines = (view: View) => linesOf(say, view, 1_000);

const running = (more: Partial<ProgressView>): View => ({
  kind: "progress",
  job,
  phase: "running",
  ...more,
});

const problem = (charged: number | null, more: object = {}) =>
  lines({
    kind: "problem",
    problem: { code: "job_failed", params: { reason: "no" } },
    charged,
    ...more,
  });

describe("a notice", () => {
  it("has its facts as lines", () => {
    const facts = [
      { label: "fact.balance", value: { key: "fact.tokens", params: { tokens: 4.5 } } },
    ] as const;
    expect(lines({ kind: "notice", text: { key: "balance.own" }, facts })).toEqual([
      "You pay with your own key.",
      "",
      "Balance: 4.5 tokens",
    ]);
  });
});

describe("progress", () => {
  it.each([
    [{ percent: 0 }, "▱▱▱▱▱▱▱▱▱▱ 0 %"],
    [{ percent: 40, expectedAt: 21_000 }, "▰▰▰▰▱▱▱▱▱▱ 40 % · about 20 sec left"],
    [{ percent: 40, expectedAt: 1_400 }, "▰▰▰▰▱▱▱▱▱▱ 40 %"],
    [{ percent: 99.7, expectedAt: 21_000 }, "▰▰▰▰▰▰▰▰▰▰ 100 %"],
    [{ percent: 100 }, "▰▰▰▰▰▰▰▰▰▰ 100 %"],
    [{ percent: 130 }, "▰▰▰▰▰▰▰▰▰▰ 130 %"],
    [{ expectedAt: 21_000 }, "about 20 sec left"],
    [{ expectedAt: 500 }, "Being made…"],
    [{ phase: "queued", ahead: 2 }, "⏳ Waiting: 2 jobs ahead"],
    [{ phase: "queued", ahead: 0 }, "⏳ Next in line"],
    [{ phase: "checking", percent: 40 }, "The answer was lost; checking whether the job was accepted…"],
  ] as const)("of %j says %s", (more, line) => {
    expect(lines(running(more))).toEqual(["Photo to video", line]);
  });
});

describe("a problem", () => {
  it("says what it cost, where there is anything to say", () => {
    // What failed may have been given back; nothing that is read says so.
    expect(problem(2.7, { job })).toEqual([
      "The service could not make this: no",
      "It cost 2.7 tokens. Whether the service gives them back, /balance shows.",
    ]);
    expect(problem(0, { job })[1]).toBe("Nothing was charged.");
    expect(problem(null)[1]).toContain("/balance");
    expect(problem(0)).toEqual(["The service could not make this: no"]);
  });

  it.each(LOCALES)("says in %s what it cost once, where its sentence says so itself", (locale) => {
    const translate = translator(locale);
    const view = { kind: "problem", problem: { code: "insufficient_tokens", params: {} }, job } as const;
    const said = (charged: number | null) => linesOf(translate, { ...view, charged }, 0);
    const none = translate("view.charged.none");
    const paid = translate("view.charged", { count: 2.7, tokens: 2.7 });
    const sentence = translate("error.insufficient_tokens");
    expect(said(0)).toEqual([sentence]);
    expect(sentence.split(none)).toHaveLength(2);
    expect(said(2.7)).toEqual([sentence.replace(none, paid)]);
  });
});

describe("a menu", () => {
  it("numbers its lines", () => {
    const item = {
      title: { key: "jobs.line", params: { operation: "video", text: "a" } },
      detail: { key: "fact.text", params: { text: "yesterday" } },
      actions: [],
    } as const;
    const shown = lines({ kind: "menu", title: { key: "jobs.title" }, items: [item, item] });
    expect(shown.slice(2, 5)).toEqual(["1. Photo to video: a", "    yesterday", "2. Photo to video: a"]);
  });
});

describe("a result", () => {
  const view: ResultView = {
    kind: "result",
    job,
    media: [],
    cost: 2.7,
    balance: 97.3,
    tookMs: 9_000,
    spoiler: false,
    actions: [],
  };

  it.each(LOCALES)("says in %s what it was, what it cost, what is left and how long it took", (locale) => {
    const shown = linesOf(translator(locale), view, 0);
    expect(shown.join("\n")).toMatch(/2[.,]7.*97[.,]3.*9/);
    expect(shown).toHaveLength(2);
  });

  it("leaves out what is not known", () => {
    expect(lines({ ...view, cost: null, balance: null })).toEqual(["Photo to video: done", "took 9 sec"]);
  });
});
