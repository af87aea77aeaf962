import { describe, expect, it } from "vitest";
import type { Draft } from "../../../adapters/kit/drafts/draft.ts";
import { draftPage } from "../../../adapters/kit/drafts/page.ts";
import { offersPage } from "../../../adapters/kit/drafts/page-offers.ts";
import { mainRows, moreRows } from "../../../adapters/kit/drafts/page-rows.ts";
import { plainFormat } from "../../../adapters/kit/drafts/page-parts.ts";
import type { DraftState } from "../../../adapters/kit/drafts/state.ts";
import type { Rows } from "../../../adapters/kit/messages/buttons.ts";
import { LOCALES, type Locale, type MessageKey, translator } from "../../../src/common/i18n.ts";
import { sentencesOf } from "../../../src/common/languages.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { priceIn } from "../../../src/seam/forms/price.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import type { Values } from "../../../src/seam/values.ts";

/** Characters of a label that a phone shows of a button in a row of its own; more is cut there. */
const READABLE = 40;

/** Sentences that stand on buttons of the core's and of the kit's. */
const ON_BUTTONS =
  /^(action\.|sure\.|ping\.label$|form\.generate|chat\.start\.(photo|templates)$|draft\.(more|again|swap|clear|remove_last|mask\.use)$|browse\.(catalogue\.|news$|all|count|previous$|next$|use$|search$)|command\.\w+$)/;

const FILLED: Readonly<Record<string, string | number>> = {
  count: 12.75,
  tokens: 12.75,
  name: "Anime",
  operation: "video",
  price: "12.75",
};

const labelsOf = (rows: Rows) => rows.flat().map(({ text }) => text);

const picture = { surface: "telegram", id: "a-photo" } as const;

const given = { pictures: [picture], sounds: [] };

/** Prices, of which the longest are more than anything costs here. */
const PRICES = [
  { tokens: null, basis: "unknown" },
  { tokens: 1, basis: "exact" },
  { tokens: 120, basis: "exact" },
  { tokens: 1_234.75, basis: "exact" },
  { tokens: 12.75, basis: "learned" },
  { tokens: 120, basis: "learned" },
] as const;

/** A draft that costs nothing to fill in, as its buttons show it. */
function stateOf(locale: Locale, sheet: Sheet, values: Values): DraftState {
  const draft: Draft = {
    id: "1",
    owner: "telegram:1",
    address: {},
    given,
    operation: sheet.name,
    values,
    screen: { show: "main" },
  };
  const others = { missing: undefined, chosen: {}, entries: [], problem: undefined, obstacle: undefined };
  const quote = { tokens: 12.75, balance: 100, basis: "exact", asks: [] } as const;
  return { say: translator(locale), draft, isPrivate: true, sheet, fields: sheet.fields, quote, ...others };
}

describe.each(LOCALES)("what stands on buttons in %s", (locale) => {
  it("can be read whole on a phone", () => {
    const say = translator(locale);
    const keys = Object.keys(sentencesOf(locale))
      .map((key) => key.replace(/_(zero|one|two|few|many|other)$/, ""))
      .filter((key) => ON_BUTTONS.test(key)) as MessageKey[];
    const long = [...new Set(keys)]
      .map((key) => [key, say(key, FILLED)] as const)
      .filter(([, label]) => Array.from(label).length > READABLE);
    expect(keys.length).toBeGreaterThan(40);
    expect(long).toEqual([]);
  });

  it("is not cut on a draft, nor where it is chosen what is made", () => {
    const settings = COMMAND_SPECS.filter(({ name }) => name === "settings");
    const operations = COMMAND_SPECS.filter(({ kind }) => kind === "operation");
    const drafts = [...settings, ...operations].flatMap(({ name, label, fields }) => {
      const sheet = {
        name,
        title: { key: label },
        fields,
        submit: { key: "form.generate" },
        costs: true,
      } as const;
      const state = stateOf(locale, sheet, { spend_below: 1_000 });
      return labelsOf(mainRows({ takesKeys: true }, state).concat(moreRows(state)));
    });
    const { draft, say } = stateOf(
      locale,
      {
        name: "",
        title: { key: "form.generate" },
        fields: [],
        submit: { key: "form.generate" },
        costs: true,
      },
      {},
    );
    const offered = labelsOf(offersPage(plainFormat(10_000), say, draft, operations, undefined).rows);
    expect(settings).toHaveLength(1);
    const all = [...drafts, ...offered];
    expect([...new Set(all)].filter((label) => label.endsWith("…"))).toEqual([]);
    expect([...new Set(all)].filter((label) => Array.from(label).length > READABLE)).toEqual([]);
  });

  const operations = COMMAND_SPECS.filter(({ kind }) => kind === "operation");

  it.each(operations)(
    "is read whole on the button that spends for $name, and says yes to what stands above it",
    (spec) => {
      const sheet = sheetOf({ operation: spec.name }, COMMAND_SPECS);
      if (!sheet) throw new Error("It has no form.");
      const say = translator(locale);
      const statements = [...(spec.agreement ? [spec.agreement] : []), "consent", "adult", "terms"] as const;
      for (const price of PRICES)
        for (const asked of [[], ...statements.map((name) => [name]), statements]) {
          const asks = asked.map((name) => ({ name, version: "1" }));
          const quote = { ...price, balance: 100_000, asks };
          const { text, rows } = draftPage(plainFormat(10_000), { ...stateOf(locale, sheet, {}), quote });
          const label = rows.flat().find(({ text: one }) => one.startsWith("✨"))?.text ?? "";
          expect.soft(Array.from(label).length, label).toBeLessThanOrEqual(READABLE);
          const shownPrice = priceIn(say, quote);
          expect.soft(label).toContain(shownPrice === undefined ? "✨ " : ` · ${shownPrice}`);
          // What is agreed to is said by the button, or it says yes, and it stands in whole above it.
          for (const name of asked) expect.soft(text).toContain(say(`statement.${name}`));
          const own = spec.agreement ? [say(`action.agree.${spec.agreement}`)] : [];
          const said = [...own, say(asked.length > 0 ? "form.generate.agree" : "form.generate")];
          expect.soft(said.some((words) => label.startsWith(`✨ ${words}`))).toBe(true);
        }
    },
  );
});
