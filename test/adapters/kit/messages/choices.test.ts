import { expect, it } from "vitest";
import { choicesOf, fewOf } from "../../../../adapters/kit/messages/choices.ts";

const LIMITS = { buttons: 3, buttonTitle: 20, rows: 10, rowTitle: 24, rowDescription: 72 };

const button = (text: string) => ({ text, token: text, style: "secondary" as const });
const more = () => ({ token: "more", text: "More…" });

it("cuts what stands on choices where the strictest count of it ends: an emoji is two", () => {
  const song = "🎵 Reference sounds: 1 sound";
  const choices = choicesOf(["Again", "Back", "Cancel", song].map(button), LIMITS, { more });
  expect(choices).toMatchObject({ as: "list" });
  const row = choices.as === "list" ? choices.rows.at(-1) : undefined;
  expect(row).toMatchObject({ title: "🎵 Reference sounds: 1…", description: song });
  expect(row?.title.length).toBeLessThanOrEqual(LIMITS.rowTitle);
});

it("takes a list where a button would be one too long by that count", () => {
  expect(choicesOf([button(`🎵🎵 ${"x".repeat(15)}`)], LIMITS, { more })).toMatchObject({ as: "buttons" });
  expect(choicesOf([button(`🎵🎵 ${"x".repeat(16)}`)], LIMITS, { more })).toMatchObject({ as: "list" });
});

it("cuts the few that stand below a file, too", () => {
  const [first] = fewOf([button(`🎵 ${"x".repeat(30)}`)], LIMITS, more);
  expect(first?.text.length).toBeLessThanOrEqual(LIMITS.buttonTitle);
});
