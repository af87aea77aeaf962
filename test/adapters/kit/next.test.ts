import { describe, expect, it } from "vitest";
import { nextOf } from "../../../adapters/kit/drafts/next.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import type { ErrorCode } from "../../../src/common/errors.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";

const sheet = sheetOf({ operation: "video" }, COMMAND_SPECS);
if (!sheet) throw new Error("There is no video.");

const quote = { tokens: 3, basis: "exact", balance: 5, asks: [] } as const;
const complete = { sheet, missing: undefined, quote, obstacle: undefined };
const refused = (code: ErrorCode) => ({ ...complete, quote: undefined, obstacle: { code, params: {} } });

describe("what leads on from a draft", () => {
  it("is the button that spends, once it can say what it costs and there is enough for it", () => {
    expect(nextOf(complete)).toBe("submit");
    expect(nextOf({ ...complete, quote: { ...quote, tokens: null, balance: null } })).toBe("submit");
    expect(nextOf({ ...complete, quote: { ...quote, balance: 2 } })).toBe("again");
    expect(nextOf({ ...complete, quote: undefined })).toBe("again");
  });

  it("is to look again, where nobody knows the price and what is left cannot be enough", () => {
    const unpriced = { ...quote, tokens: null, basis: "unknown" } as const;
    const range = { least: 2.7, most: 4.1 };
    expect(nextOf({ ...complete, quote: { ...unpriced, balance: 0 } })).toBe("again");
    expect(nextOf({ ...complete, quote: { ...unpriced, balance: 1 } })).toBe("submit");
    expect(nextOf({ ...complete, quote: { ...unpriced, balance: 1, range } })).toBe("again");
    expect(nextOf({ ...complete, quote: { ...unpriced, balance: 3, range } })).toBe("submit");
  });

  it.each([
    ["not_connected", "connect"],
    ["key_unreadable", "connect"],
    ["unauthorized", "connect"],
    ["daily_cap", "own"],
    ["chat_cap", "own"],
    ["budget_spent", "own"],
    ["shared_budget_spent", "own"],
    ["shared_tokens_missing", "own"],
    ["tokens_missing", "again"],
    ["network", "again"],
    ["words_blocked", "change"],
    ["field_unknown_choice", "change"],
  ] as const)("settles %s by: %s", (code, next) => {
    expect(nextOf(refused(code))).toBe(next);
  });

  it("is a key, also while something is missing", () => {
    const missing = sheet.fields[0];
    expect(nextOf({ ...refused("not_connected"), missing })).toBe("connect");
    expect(nextOf({ ...complete, missing })).toBe("change");
  });
});
