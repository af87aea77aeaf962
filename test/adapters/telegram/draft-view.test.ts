import { offersFor } from "../../../src/seam/forms/offers.ts";
import { describe, expect, it } from "vitest";
import { BLANK, type Draft, type Screen } from "../../../adapters/kit/drafts/draft.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { draftPage } from "../../../adapters/kit/drafts/page.ts";
import { offersPage } from "../../../adapters/kit/drafts/page-offers.ts";
import type { DraftPage } from "../../../adapters/kit/drafts/page-parts.ts";
import type { DraftState } from "../../../adapters/kit/drafts/state.ts";
import { FORMAT } from "../../../adapters/telegram/drafts/messages.ts";
import { applicable, firstMissing } from "../../../src/seam/forms/filling.ts";
import { TELEGRAM } from "../../../adapters/telegram/api/limits.ts";
import type { AskedStatement, CommandSpec, FieldSpec, Suggestion } from "../../../src/seam/fields.ts";
import { type MediaRef, STATEMENT_NAMES, type Value, type Values } from "../../../src/seam/values.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";

const operations = COMMAND_SPECS.filter(({ kind }) => kind === "operation");
const long = "a very long title & <description> ".repeat(200);
const picture: MediaRef = { surface: "telegram", id: "x".repeat(90) };
const entries: Suggestion[] = Array.from({ length: 40 }, (_, nth) => ({
  value: `${long}${nth}`,
  title: `${long}${nth}`,
  category: `${long}${nth % 3}`,
  marks: ["new"],
  variants: 2,
}));

/** The longest that a field may hold. */
function fullest({ control, choices, maxItems = 1, max = 1e9 }: FieldSpec): Value {
  if (control === "image" || control === "mask") return picture;
  if (control === "images" || control === "sounds") return Array.from({ length: maxItems }, () => picture);
  if (control === "switch") return true;
  if (control === "number") return max;
  return choices?.at(-1)?.value ?? long;
}

function state(
  { name, fields }: CommandSpec,
  values: Values,
  screen: Screen,
  form: "text" | "media",
  asks: readonly AskedStatement[] = [],
): Omit<DraftState, "say"> {
  const draft: Draft = {
    id: "-1:1",
    owner: "telegram:1",
    address: { chat: -1, message: 1, form },
    given: { pictures: [picture], sounds: [] },
    operation: name,
    values,
    screen,
  };
  const sheet = sheetOf(draft, COMMAND_SPECS);
  if (!sheet) throw new Error(`There is no ${name}.`);
  return {
    draft,
    isPrivate: true,
    sheet,
    fields: applicable(fields, values),
    missing: firstMissing(fields, values),
    obstacle: undefined,
    quote: {
      tokens: 2.7,
      basis: "learned",
      balance: 1_000_000,
      asks,
    },
    chosen: {},
    entries,
    problem: { code: "field_invalid", params: { field: "prompt", wanted: long.slice(0, 200) } },
  };
}

const everyStatement = STATEMENT_NAMES.map((name) => ({ name, version: "1" }));

/** Every screen of an operation: nothing chosen, and everything. */
function screens(operation: CommandSpec): Omit<DraftState, "say">[] {
  const everything = Object.fromEntries(operation.fields.map((field) => [field.name, fullest(field)]));
  const open = operation.fields.flatMap(({ name: field }) => [
    { show: "field", field } as const,
    { show: "field", field, category: "", page: 1, regions: [0, 4, 8] } as const,
    { show: "field", field, words: long } as const,
  ]);
  return [{}, everything].flatMap((values) =>
    [{ show: "main" } as const, { show: "more" } as const, ...open].flatMap((screen) => [
      state(operation, values, screen, "text"),
      state(operation, values, screen, "media"),
      state(operation, values, screen, "text", everyStatement),
      state(operation, values, screen, "media", everyStatement),
      { ...state(operation, values, screen, "text", everyStatement), isPrivate: false },
      { ...state(operation, values, screen, "media"), isPrivate: false },
    ]),
  );
}

/** What of a page Telegram would not take. */
function misfits({ text, rows }: DraftPage, limit: number): string[] {
  const shown = Array.from(text.replaceAll(/<[^>]+>/g, ""));
  const bad = rows
    .flat()
    .filter((button) => button.text === "" || Buffer.byteLength(button.token) > TELEGRAM.callbackData);
  return [...(shown.length > limit || text.trim() === "" ? [text] : []), ...bad.map((button) => button.text)];
}

describe.each(LOCALES)("in %s", (locale) => {
  const say = translator(locale);

  it.each(operations)("every screen of $name fits into Telegram, and is said in words", (operation) => {
    for (const bare of screens(operation)) {
      const page = draftPage(FORMAT, { say, ...bare });
      expect(
        misfits(page, bare.draft.address["form"] === "media" ? TELEGRAM.caption : TELEGRAM.text),
      ).toEqual([]);
      expect(page.text).not.toMatch(/telegram\.|field\.|choice\./);
    }
  });

  it.each([1, 2, 5, 9])("offers for %i pictures fit", (count) => {
    const given = { pictures: Array.from({ length: count }, () => picture), sounds: [] };
    const draft = { ...BLANK, id: "1:1", owner: "telegram:1", address: {}, given } as const;
    expect(
      misfits(offersPage(FORMAT, say, draft, offersFor(COMMAND_SPECS, given), undefined), TELEGRAM.text),
    ).toEqual([]);
  });
});

describe("the button that spends", () => {
  it.each(operations)("is the first of $name's, with the price, once nothing is missing", (operation) => {
    const say = translator("en");
    const everything = Object.fromEntries(operation.fields.map((field) => [field.name, fullest(field)]));
    const [first] = draftPage(FORMAT, {
      say,
      ...state(operation, everything, { show: "main" }, "text"),
    }).rows;
    const start = operation.agreement ? say(`action.agree.${operation.agreement}`) : "Generate";
    expect(first?.map(({ text }) => text)).toEqual([`✨ ${start} · about 2.7 tokens`]);
    const without = draftPage(FORMAT, { say, ...state(operation, {}, { show: "main" }, "text") }).rows.flat();
    expect(without.filter(({ text }) => text.includes("✨"))).toEqual([]);
  });
});

describe("where others read along", () => {
  it.each([1, 1_000])("nobody reads what somebody has left: %i tokens", (balance) => {
    const [operation] = operations;
    if (!operation) throw new Error("Nothing is made.");
    const everything = Object.fromEntries(operation.fields.map((field) => [field.name, fullest(field)]));
    const { quote, ...bare } = state(operation, everything, { show: "main" }, "text");
    const whole = {
      say: translator("en"),
      ...bare,
      problem: undefined,
      quote: quote && { ...quote, balance },
    };
    const told = /you have|You have/;
    expect(draftPage(FORMAT, whole).text).toMatch(told);
    expect(draftPage(FORMAT, { ...whole, isPrivate: false }).text).not.toMatch(told);
    const params = { needed: 2, balance: 1, missing: 1 };
    const problem = { code: "tokens_missing", params } as const;
    expect(draftPage(FORMAT, { ...whole, problem, isPrivate: false }).text).not.toMatch(told);
  });
});
