import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TELEGRAM } from "../../../../adapters/telegram/api/limits.ts";
import { escapeHtml, render } from "../../../../adapters/telegram/messages/render.ts";
import { action } from "../../../../src/seam/text/actions.ts";
import { cut } from "../../../../src/seam/text/cut.ts";
import type { JobSummary, ProgressView, View } from "../../../../src/seam/views.ts";
import { translator } from "../../../../src/common/i18n.ts";
import { parseHtml } from "../../../support/telegram/html.ts";

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

  it("is never cut inside of an entity", () => {
    const { html } = render(say, notice("&".repeat(5_000)));
    expect(html).toBe(`${"&amp;".repeat(TELEGRAM.text - 1)}…`);
  });

  it("may stand inside of a tag", () => {
    expect(escapeHtml(`<a href="x">&</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
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

  it("numbers each row of buttons by its line", () => {
    expect(labels(menu)).toEqual([["1. Show again", "Delete"], ["3. Change"], ["Older"]]);
    expect(labels({ ...menu, items: [], actions: [] })).toEqual([]);
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

describe("where others read along", () => {
  it("is not said what somebody has left", () => {
    const problem = { code: "tokens_missing", params: { needed: 2, balance: 1, missing: 1 } } as const;
    const view: View = { kind: "problem", problem, charged: 0 };
    expect(render(say, view).html).toContain("you have 1");
    expect(render(say, view, true).html).not.toContain("have 1");
    expect(render(say, view, true).html).toContain("not enough tokens");
  });
});
