import { InteractionResponseType, Locale } from "discord.js";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { blackPng } from "../../infrastructure/media/support/bombs.ts";
import { soundFile } from "../../sandbox/clip.ts";
import { attachment } from "../../support/discord/attachment.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { submitted } from "../../support/submitted.ts";
import { allowSpending, cat, makingHarness, isResult, makeFirst, photo } from "./making-harness.ts";

/** The photo with a spot painted on it. */
async function painted(): Promise<Buffer> {
  const spot = Buffer.from(
    `<svg width="200" height="150"><circle cx="80" cy="80" r="40" fill="#2e6"/></svg>`,
  );
  const { width, height } = await sharp(photo).metadata();
  const paint = await sharp(spot).resize(width, height, { fit: "fill" }).png().toBuffer();
  return sharp(photo)
    .composite([{ input: paint }])
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** What stands for each picture of a message, and whether that is red or blue. */
const shownIn = ({ files }: SeenMessage) =>
  Promise.all(
    files.map(async ({ description, bytes }) => {
      const { channels } = await sharp(bytes).stats();
      const [red = { mean: 0 }, , blue = { mean: 0 }] = channels;
      return [description, red.mean > blue.mean ? "red" : "blue"];
    }),
  );

async function plainPicture(background: string) {
  const picture = sharp({ create: { width: 300, height: 300, channels: 3, background } });
  return attachment(await picture.jpeg().toBuffer(), "picture.jpg");
}

describe("/make", () => {
  it("says what it costs in private, and makes it for all to see once that is confirmed", async () => {
    await using at = await makingHarness();
    const { on, ann, bob, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const offer = await ann.sees("Photo to video costs about");
    expect(offer.ephemeral).toBe(true);
    expect(offer.text).toContain("What should happen: “waves”");
    expect(offer.buttons).toEqual([
      [
        expect.stringMatching(/^Make it · about \d/),
        "What should happen, Template, …",
        "Model, Steps, …",
        "Upscale when done",
        "Cancel",
      ],
    ]);
    await ann.presses(/^Make it/);
    const result = await bob.sees(isResult, { in: channel });
    expect(result.files[0]?.contentType).toBe("video/mp4");
    const begun = await ann.sees("Your order: Photo to video. It costs about");
    expect(begun.id).toBe(offer.id);
    expect(begun.buttons).toEqual([]);
    expect(await submitted(on, 1)).toEqual(["waves"]);
    expect(bob.chat({ in: channel })).toHaveLength(1);
  });

  it("asks newcomers what everybody states, in private, and goes on with what they wanted", async () => {
    await using at = await makingHarness({ newcomers: true });
    const { on, ann, bob, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const offer = await ann.sees("is your responsibility");
    expect(offer.text).toContain("must have agreed");
    expect(offer.ephemeral).toBe(true);
    await on.restart();
    expect(await submitted(on, 0)).toEqual([]);
    await ann.presses(/^Yes, generate/);
    await bob.sees(isResult, { in: channel });
    expect(bob.chat({ in: channel })).toHaveLength(1);
    await ann.uses("/make image", { prompt: "a castle" }, { in: channel });
    await ann.presses(/^Make it/, { on: await ann.sees("“a castle”") });
    await on.discord.until(() => bob.chat({ in: channel }).filter(isResult).length === 2);
    expect(await submitted(on, 2)).toEqual(["waves", "a castle"]);
  });

  it("swaps faces once the button that says so is pressed, each time, whatever may begin without asking", async () => {
    await using at = await makingHarness({ newcomers: true });
    const { on, ann, bob, channel } = at;
    await on.stated([ann], ["terms"]);
    await allowSpending(ann, "100");
    await ann.uses("/make faceswap", { face: cat, target: cat }, { in: channel });
    const offer = await ann.sees("Did everybody in these two pictures agree");
    expect(offer.ephemeral).toBe(true);
    await ann.presses("They all agreed: swap the faces");
    await bob.sees(isResult, { in: channel });
    await ann.presses(/^Again/, { in: channel });
    const again = await ann.sees("Did everybody in these two pictures agree", { fresh: true });
    expect(again).toMatchObject({ ephemeral: true, buttons: [["They all agreed: swap the faces"]] });
    await ann.presses("They all agreed: swap the faces", { on: again });
    await on.discord.until(() => bob.chat({ in: channel }).filter(isResult).length === 2);
    await ann.uses("/make faceswap", { face: cat, target: cat }, { in: channel });
    const priced = await ann.sees("Did everybody in these two pictures agree", { fresh: true });
    expect(priced.buttons[0]?.[0]).toMatch(/^They all agreed: swap the faces · about [\d.]+ tokens$/);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("shows which of two pictures is which, and lets them change places", async () => {
    await using at = await makingHarness();
    const { on, ann, bob, channel } = at;
    const [red, blue] = await Promise.all(["#f00", "#00f"].map(plainPicture));
    if (!red || !blue) throw new Error("There are no pictures.");
    await ann.uses("/make faceswap", { face: red, target: blue }, { in: channel });
    const offer = await ann.sees("Picture that gets the face: the first picture below");
    expect(offer.text).toContain("Picture of the face: the second picture below");
    expect(await shownIn(offer)).toEqual([
      ["Picture that gets the face", "blue"],
      ["Picture of the face", "red"],
    ]);
    await ann.presses("⇄ Swap the two pictures");
    const swapped = await ann.sees(
      ({ id, history }) => id === offer.id && history.some(({ files }) => files.length > 0),
    );
    expect(await shownIn(swapped)).toEqual([
      ["Picture that gets the face", "red"],
      ["Picture of the face", "blue"],
    ]);
    await ann.presses(/They all agreed/);
    await bob.sees(isResult, { in: channel });
    expect((await ann.sees("Your order: Face swap")).files).toEqual([]);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("shows the pictures of a field that has several, in their order", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const [red, blue] = await Promise.all(["#f00", "#00f"].map(plainPicture));
    if (!red || !blue) throw new Error("There are no pictures.");
    const call = { image: blue, image_2: red, prompt: "put both together" };
    await ann.uses("/make image-edit", call, { in: channel });
    const offer = await ann.sees("2 pictures");
    expect((await shownIn(offer)).map(([, colour]) => colour)).toEqual(["blue", "red"]);
    expect(offer.buttons.flat().join()).not.toContain("Swap");
  });

  it("begins at once below what they allowed, and says in private what it costs", async () => {
    await using at = await makingHarness();
    const { ann, bob, channel } = at;
    await makeFirst(ann, channel);
    await allowSpending(ann, "100");
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const begun = await ann.sees("Your order: Photo to video. It costs about", { fresh: true });
    expect(begun.ephemeral).toBe(true);
    await bob.sees((one) => isResult(one) && one.id > begun.id, { in: channel });
  });

  it("is theirs alone to see where they say so", async () => {
    await using at = await makingHarness();
    const { ann, bob, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves", private: true }, { in: channel });
    await ann.presses(/^Make it/);
    const result = await ann.sees(isResult, { in: channel });
    expect(result.ephemeral).toBe(true);
    expect(bob.chat({ in: channel })).toEqual([]);
  });

  it("asks in a modal for words that are missing, and goes on with what was attached", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    const opened = await ann.uses("/make video", { image: cat, duration: 4 }, { in: channel });
    expect(opened.kind).toBe(InteractionResponseType.Modal);
    expect(ann.modal()).toMatchObject({
      title: "Photo to video",
      fields: [{ label: "What should happen", required: true, most: 4000 }],
    });
    await ann.submitsModal({ "What should happen": "waves\nand wind" });
    const offer = await ann.sees("Photo to video costs about");
    expect(offer.text).toContain("Length in seconds: 4");
    await ann.presses(/^Make it/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves\nand wind"]);
  });

  it("does not ask for words beside a template", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const used = await ann.uses("/make video", { image: cat, template: "summer-rain" }, { in: channel });
    expect(used.kind).toBe(InteractionResponseType.DeferredChannelMessageWithSource);
    expect((await ann.sees("Photo to video costs about")).text).toContain("Template: Summer rain");
  });

  it("is made once, however often it is confirmed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const offer = await ann.sees(({ buttons }) =>
      buttons.flat().some((label) => label.startsWith("Make it")),
    );
    await Promise.all([ann.presses(/^Make it/, { on: offer }), ann.presses(/^Make it/, { on: offer })]);
    await ann.sees("This has already started");
    await on.discord.until(() => ann.chat({ in: channel }).filter(isResult).length === 2);
    expect(await submitted(on, 2)).toEqual(["first", "waves"]);
  });

  it("is made once more, however often New variation is pressed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    const result = await ann.sees(isResult, { in: channel });
    await Promise.all([1, 2].map(() => ann.presses(/^New variation · \d/, { on: result })));
    await ann.sees("This has already started");
    await on.discord.until(() => ann.chat({ in: channel }).filter(isResult).length === 2);
    expect(await submitted(on, 2)).toEqual(["first", "first"]);
  });

  it("can be confirmed after a restart", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.sees("Photo to video costs about");
    await on.restart();
    await ann.presses(/^Make it/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("is not made once it is cancelled", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const offer = await ann.sees("Photo to video costs about");
    await ann.presses("Cancel");
    expect((await ann.sees("Cancelled. Nothing was charged.")).id).toBe(offer.id);
    await ann.presses(/^Make it/, { on: offer });
    const told = await ann.sees("Cancelled. Nothing was charged.", { fresh: true });
    expect(told).toMatchObject({ ephemeral: true, buttons: [] });
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("takes several pictures in their order", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses(
      "/make image-edit",
      { image: cat, image_3: cat, image_2: cat, prompt: "blend" },
      { in: channel },
    );
    expect((await ann.sees("Edit pictures")).text).toContain("Pictures: 3 pictures");
    await ann.presses(/^Make it/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["blend"]);
  });

  it("shows what it understood of a painted copy before anything is spent", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    const mask = attachment(await painted(), "painted.jpg");
    await ann.uses("/make inpaint", { image: cat, mask, prompt: "tulips" }, { in: channel });
    const offer = await ann.sees("Marked part: ✓");
    expect(offer.files.map(({ contentType }) => contentType)).toEqual(["image/jpeg"]);
    await ann.presses(/^Make it/);
    expect(await submitted(on, 1)).toEqual(["tulips"]);
    expect((await ann.sees("Your order: Repaint a part")).files).toEqual([]);
  });

  it("says what is wrong, keeps the rest, and asks again", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const mask = attachment(await sharp(photo).flop().jpeg().toBuffer(), "other.jpg");
    await ann.uses("/make inpaint", { image: cat, mask, prompt: "tulips" }, { in: channel });
    const problem = await ann.sees("This is not the same picture");
    expect(problem.buttons.flat()).toEqual([
      "Fill in",
      "Marked part, What should be there instead, …",
      "Prompt strength, Seed",
      "Cancel",
    ]);
    await ann.presses("Fill in");
    expect(ann.modal()?.fields.map(({ label }) => label)).toEqual(["Marked part"]);
    await ann.submitsModal({ "Marked part": [attachment(await painted(), "painted.jpg")] });
    expect((await ann.sees("Marked part: ✓")).text).toContain("“tulips”");
  });

  it("speaks the person's language", async () => {
    await using at = await makingHarness();
    const { on } = at;
    const ola = on.discord.person({ name: "Ola", locale: Locale.Polish });
    await ola.uses("/stwórz wideo", { zdjęcie: cat, opis: "fale", format: "Kwadrat" });
    const offer = await ola.sees("Zdjęcie w wideo: koszt to ok.");
    expect(offer.text).toContain("Format: Kwadrat");
    expect(offer.ephemeral).toBe(false);
  });
});

describe("an attachment", () => {
  it("is fetched from nowhere but Discord", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const foreign = attachment(photo, "cat.jpg", { url: "https://example.com/cat.jpg" });
    await ann.uses("/make video", { image: foreign, prompt: "waves" }, { in: channel });
    const { buttons } = await ann.sees("Files are only fetched from");
    expect(buttons.flat()).toContain("Fill in");
  });

  it("must be a picture, whatever its name says", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const image = attachment(Buffer.from("%PDF-1.7 and so on"), "cat.jpg");
    await ann.uses("/make video", { image, prompt: "waves" }, { in: channel });
    expect((await ann.sees("Files of the type PDF cannot be used.")).ephemeral).toBe(true);
  });

  it("is refused by its size before it is fetched", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const sound = attachment(Buffer.alloc(8_000_001, "OggS"), "long.ogg");
    await ann.uses("/make vid3", { image: cat, sound, prompt: "waves" }, { in: channel });
    expect((await ann.sees("This file is too large: at most 8 MB.")).ephemeral).toBe(true);
  });

  it.each([
    ["far too long for its width", blackPng(1, 1_000_000), "1 × 1,000,000 pixels"],
    ["no picture at all", Buffer.from("%PDF-1.7\n"), "Files of the type PDF cannot be used."],
  ])("is looked at before its price is said: %s", async (_, bytes, sentence) => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const image = attachment(bytes, "photo.png");
    await ann.uses("/make video", { image, prompt: "waves" }, { in: channel });
    const told = await ann.sees(sentence);
    expect(told.text).not.toContain("costs");
  });

  it("may be a sound to go by", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const sound = attachment(soundFile("ogg", 1), "rain.ogg");
    await ann.uses("/make vid3", { image: cat, image_2: cat, sound, prompt: "waves" }, { in: channel });
    const offer = await ann.sees("Video from pictures and sounds costs");
    expect(offer.text).toContain("Reference sounds: 1 sound");
    expect(offer.text).toContain("Pictures: 2 pictures");
  });

  it("is asked for again where its link ran out before the modal was sent", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat }, { in: channel });
    on.discord.passTime(25 * 3_600_000);
    await ann.submitsModal({ "What should happen": "waves" });
    await ann.sees("This file is no longer there.");
    await ann.presses("Fill in");
    await ann.submitsModal({ Photo: [cat] });
    expect((await ann.sees("Photo to video costs about")).text).toContain("“waves”");
  });

  it("is not fetched for somebody who is not invited", async () => {
    await using at = await makingHarness({ settings: { REELAY_ALLOWED: "discord:1" } });
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.sees("by invitation only");
    expect(await readdir(join(on.data, "media"))).toEqual([]);
  });

  it("goes when it is old and no job needs it, as drafts do", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    const other = attachment(await painted(), "dog.jpg");
    await ann.uses("/make video", { image: other, prompt: "waves" }, { in: channel });
    const draft = await ann.sees("“waves”");
    const kept = () => readdir(join(on.data, "media"));
    expect(await kept()).toHaveLength(2);
    await on.surface.expire(Date.now() - 24 * 3_600_000);
    expect(await kept()).toHaveLength(2);
    await on.surface.expire(Date.now() + 24 * 3_600_000);
    expect(await kept()).toHaveLength(1);
    await ann.presses(/^Make it/, { on: draft });
    await ann.sees("This button is too old");
    await ann.presses(/^New variation/, { in: channel });
    await on.discord.until(() => ann.chat({ in: channel }).filter(isResult).length === 2);
  });

  it("is erased with whoever sent it", async () => {
    await using at = await makingHarness();
    const { on, ann, bob, channel } = at;
    const other = attachment(await painted(), "dog.jpg");
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.uses("/make video", { image: other, prompt: "waves" }, { in: channel });
    // Each with its price: neither is still being drawn when everything is erased.
    await expect.poll(() => ann.chat().filter(({ text }) => text.includes("costs about")).length).toBe(2);
    await bob.uses("/make video", { image: other, prompt: "waves" }, { in: channel });
    await bob.sees("Photo to video costs about");
    expect(await readdir(join(on.data, "media"))).toHaveLength(2);
    await on.surface.forget(`discord:${ann.user.id}`);
    expect(await readdir(join(on.data, "media"))).toHaveLength(1);
    await ann.presses(/^Make it/);
    await ann.sees("This button is too old");
  });
});
