import { expect, it } from "vitest";
import type { ChatNotes } from "../../../../adapters/kit/messages/notes.ts";
import { choicesOf, fewOf, moreBehind } from "../../../../adapters/kit/messages/choices.ts";

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

const texts = (labels: readonly string[]) => fewOf(labels.map(button), LIMITS, more).map(({ text }) => text);

it("cuts none of the few that stand below a file: what has no room there is behind the one that leads to all", () => {
  const price = "New variation · 12.75 tokens";
  expect(texts([price, "Continue", "Change", "Delete"])).toEqual(["Continue", "Change", "More…"]);
  expect(texts(["Again", price])).toEqual(["Again", "More…"]);
  expect(texts([price])).toEqual(["More…"]);
  expect(texts(["Again", "Change", "Delete"])).toEqual(["Again", "Change", "Delete"]);
  expect(texts(["🎵".repeat(11)])).toEqual(["More…"]);
});

it("leads to nothing that it has not made", async () => {
  const notes = { find: async () => ({ text: "?", buttons: [button("a"), button("b")] }) };
  const behind = async (pressed: string) =>
    (await moreBehind(notes as unknown as ChatNotes, "1", pressed))?.from;
  expect(await behind("0a1b2c3d:1")).toBe(1);
  for (const pressed of ["0a1b2c3d:2", "0a1b2c3d:-1", "0a1b2c3d:1.5", "0a1b2c3d:", "0a1b2c3d", ":0", ""])
    expect(await behind(pressed), pressed).toBeUndefined();
});
