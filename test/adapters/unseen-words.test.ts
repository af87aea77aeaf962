import { expect, it } from "vitest";
import { isGiven } from "../../adapters/web/page/src/form/fields.ts";
import { withoutMention } from "../../adapters/telegram/context/addressed.ts";
import { wordsIn } from "../../adapters/whatsapp/context/media.ts";

it("a caption that nobody can see is none, on whatever front end", () => {
  const sent = { id: "1", from: "1", type: "image", image: { id: "1", caption: "\u200B" } };
  expect(wordsIn(sent as unknown as Parameters<typeof wordsIn>[0])).toBe("");
  expect(withoutMention("@reelay_bot \u200B", "reelay_bot")).toBe("");
  expect(isGiven("\u200B\u2060")).toBe(false);
});
