import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import type { Person } from "../../support/telegram/person.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(960, 720), "base64");

const painting = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720">
  <circle cx="300" cy="300" r="120" fill="#2e6"/></svg>`;
/** The photo as it comes back from a phone's editor: painted on, recompressed. */
const painted = await sharp(photo)
  .composite([{ input: Buffer.from(painting) }])
  .jpeg({ quality: 75 })
  .toBuffer();

async function repaints(ann: Person): Promise<void> {
  await ann.sendsPhoto(photo);
  await ann.presses("Repaint a part");
}

describe("repainting a part", () => {
  it("takes what was painted over the photo, and shows what it understood before anything is spent", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await repaints(ann);
    const asked = await ann.sees("Mark the part to repaint:");
    await ann.sendsPhoto(painted);
    const shown = await ann.sees(({ media }) => media?.kind === "photo");
    expect(shown.id).toBe(asked.id);
    expect(shown.text).toContain("Marked part: ✓");
    expect(shown.text).toContain("Write what should be there instead.");
    const { channels } = await sharp(shown.media?.bytes)
      .extract({ left: 250, top: 250, width: 90, height: 90 })
      .stats();
    expect(channels[0]?.mean).toBeGreaterThan(130);
    ann.says("a vase with tulips");
    await ann.sees("“a vase with tulips”");
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["a vase with tulips"]);
  });

  it("takes regions", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await repaints(ann);
    const asked = await ann.sees("Or choose regions below.");
    expect(asked.buttons.slice(0, 3)).toEqual([
      ["⬜", "⬜", "⬜"],
      ["⬜", "⬜", "⬜"],
      ["⬜", "⬜", "⬜"],
    ]);
    await ann.presses("⬜");
    await ann.presses("🟥");
    await ann.presses("⬜");
    const chosen = await ann.sees(({ buttons }) => buttons[0]?.[0] === "🟥");
    expect(chosen.buttons.flat().filter((label) => label === "🟥")).toHaveLength(1);
    await ann.presses("🖌 Use the red regions");
    await ann.sees(({ media, text }) => media?.kind === "photo" && text.includes("Marked part: ✓"));
  });

  it("takes a mask of black and white", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await repaints(ann);
    await ann.sees("Mark the part");
    const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300"/>
      <rect width="120" height="120" fill="#fff"/></svg>`;
    ann.sendsDocument(await sharp(Buffer.from(mask)).png().toBuffer(), {
      fileName: "m.png",
      mimeType: "image/png",
    });
    const shown = await ann.sees(({ media }) => media?.kind === "photo");
    expect(shown.text).toContain("Marked part: ✓");
  });

  it("says so when another or an untouched picture comes back, and goes on asking", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await repaints(ann);
    await ann.sees("Mark the part");
    await ann.sendsPhoto(await sharp(photo).flop().jpeg().toBuffer());
    await ann.sees(/This is not the same picture.*[^]*Mark the part/);
    await ann.sendsPhoto(photo);
    await ann.sees(/Nothing is marked.*[^]*Mark the part/);
    await ann.sendsPhoto(painted);
    const shown = await ann.sees(({ media }) => media?.kind === "photo");
    expect(shown.text).not.toContain("⚠️");
  });
});
