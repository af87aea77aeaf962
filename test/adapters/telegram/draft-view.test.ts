import { offersFor } from "../../../src/seam/forms/offers.ts";
import { describe, expect, it } from "vitest";
import { BLANK } from "../../../adapters/kit/drafts/draft.ts";
import { draftPage } from "../../../adapters/kit/drafts/page.ts";
import { offersPage } from "../../../adapters/kit/drafts/page-offers.ts";
import type { DraftPage } from "../../../adapters/kit/drafts/page-parts.ts";
import { FORMAT } from "../../../adapters/telegram/drafts/messages.ts";
import { TELEGRAM } from "../../../adapters/telegram/api/limits.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import { fullest, OPERATIONS, picture, screens, state } from "../../support/draft-screens.ts";

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

  it.each(OPERATIONS)("every screen of $name fits into Telegram, and is said in words", (operation) => {
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
  it.each(OPERATIONS)("is the first of $name's, with the price, once nothing is missing", (operation) => {
    const say = translator("en");
    const everything = Object.fromEntries(operation.fields.map((field) => [field.name, fullest(field)]));
    const [first] = draftPage(FORMAT, {
      say,
      ...state(operation, everything, { show: "main" }, "text"),
    }).rows;
    // What a face swap's own states has no room beside a price on each phone.
    expect(first?.map(({ text }) => text)).toEqual(["✨ Generate · about 2.7 tokens"]);
    const without = draftPage(FORMAT, { say, ...state(operation, {}, { show: "main" }, "text") }).rows.flat();
    expect(without.filter(({ text }) => text.includes("✨"))).toEqual([]);
  });
});

describe("where others read along", () => {
  it.each([1, 1_000])("nobody reads what somebody has left: %i tokens", (balance) => {
    const [operation] = OPERATIONS;
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
