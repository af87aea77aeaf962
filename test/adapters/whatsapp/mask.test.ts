import { describe, expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

describe("repainting a part", () => {
  it("names the regions, where they stand below each other, and says what was chosen beside what uses it", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsPhoto(photo);
    await ann.presses("Repaint a part");
    const asked = await ann.sees("Or choose regions below.");
    expect(asked.buttons).toEqual([
      "⬜ Top left",
      "⬜ Top",
      "⬜ Top right",
      "⬜ Left",
      "⬜ Centre",
      "⬜ Right",
      "⬜ Bottom left",
      "⬜ Bottom",
      "⬜ Bottom right",
      "‹ Back",
    ]);
    await ann.presses(/^⬜ Top$/);
    await ann.presses("⬜ Centre", { on: await ann.sees("Now: Top", { fresh: true }) });
    const chosen = await ann.sees("Now: Top, Centre", { fresh: true });
    expect(chosen.buttons[0]).toBe("🖌 Use the red regions");
    expect(chosen.buttons).toContain("🟥 Centre");
    await ann.presses("More…", { on: chosen });
    const more = await ann.sees("Now: Top, Centre", { fresh: true });
    expect(more.buttons).toEqual(["⬜ Bottom right", "‹ Back", "Cancel"]);
    await ann.presses("🖌 Use the red regions", { on: chosen });
    await ann.sees("Marked part: ✓", { fresh: true });
  });
});
