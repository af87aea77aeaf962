import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readFile } from "node:fs/promises";
import { blackPng } from "../../infrastructure/media/support/bombs.ts";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { isResult } from "./draft-harness.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** What stands under a refusal of a file. */
const LEADING_ON = ["📷 Send a photo", "✨ Templates"];

describe("a photo", () => {
  it("is answered by one message that offers what can be made of it", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo);
    const offers = await ann.sees("What shall I make from this picture?");
    expect(offers.replyTo).toBe(sent.id);
    expect(offers.text).toContain("🎬 Videos");
    expect(offers.text).toContain("🖼 Pictures");
    expect(offers.buttons.flat()).toEqual(
      expect.arrayContaining(["Photo to video", "Edit pictures", "Repaint a part", "Face swap ⭐"]),
    );
    expect(offers.buttons.flat()).not.toContain("Picture from words");
  });

  it("becomes a job in one message: chosen, described, begun", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo);
    const { id } = await ann.sees("What shall I make");
    await ann.presses("Photo to video");
    const draft = await ann.sees("Write what should happen.");
    expect(draft.buttons.flat()).not.toContainEqual(expect.stringContaining("Generate"));
    ann.says("slow <b>zoom</b> & more");
    const ready = await ann.sees("“slow <b>zoom</b> & more”");
    expect(ready).toMatchObject({
      id,
      buttons: [[expect.stringContaining("✨ Generate")], ...ready.buttons.slice(1)],
    });
    await ann.presses(/Generate/);
    const result = await ann.sees(isResult);
    expect(result.replyTo).toBe(sent.id);
    const summary = await ann.sees(/^Photo to video · “slow <b>zoom<\/b> & more”$/);
    expect(summary).toMatchObject({ id, buttons: [] });
    expect(await submitted(on, 1)).toEqual(["slow <b>zoom</b> & more"]);
  });

  it("is not fetched before something is made of it: what Telegram made anew is in order", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("“slow zoom”");
    const [bob, cleo] = ["Bob", "Cleo"].map((name) => on.telegram.person({ name }));
    await bob?.sendsAlbum([photo, photo]);
    await bob?.sees("What shall I make from these 2 pictures?");
    expect(on.telegram.calls("getFile")).toEqual([]);
    cleo?.sendsDocument(photo, { mimeType: "image/jpeg", fileName: "a.jpg" });
    await cleo?.sees("What shall I make from this picture?");
    expect(on.telegram.calls("getFile")).toHaveLength(1);
  });

  it("tells the price on the first button once it is known, and anew with each choice", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo);
    await ann.presses(/Video from pictures and sounds/);
    ann.says("she waves");
    const draft = await ann.sees("Costs 8.8 tokens. You have");
    expect(draft.buttons[0]).toEqual(["✨ Generate · 8.8 tokens"]);
    await ann.presses("Size: 720p");
    await ann.presses("480p");
    const cheaper = await ann.sees("Costs 4.4 tokens.");
    expect(cheaper.buttons[0]).toEqual(["✨ Generate · 4.4 tokens"]);
  });

  it.each([
    ["a line of a million pixels", blackPng(1, 1_000_000), "This picture is 1 × 1,000,000 pixels."],
    ["a video", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomiso2"), "Files of the type MP4 cannot be used."],
    ["what breaks off", photo.subarray(0, 900), "This picture cannot be read."],
  ])(
    "is looked at when it comes: %s is told at once, without a price; the words wait for another",
    async (_, bytes, sentence) => {
      await using on = await harness();
      const ann = await on.regular({ name: "Ann" });
      ann.sendsDocument(bytes, { caption: "slow zoom", mimeType: "image/jpeg", fileName: "a.jpg" });
      const told = await ann.sees(sentence);
      expect(told.buttons.flat().filter((label) => /Generate|tokens/.test(label))).toEqual([]);
      expect(told.buttons.flat()).toContain("Cancel");
      expect(told.text).toContain("Nothing was charged.");
      expect(told.text).toMatch(/“slow zoom”.*👉 Send the photo/s);
      await ann.sendsPhoto(photo);
      const ready = await ann.sees(({ buttons }) => buttons.flat().some((label) => /Generate/.test(label)));
      expect(ready.id).toBe(told.id);
      expect(ready.text).not.toContain(sentence);
      expect(ready.text).toContain("“slow zoom”");
    },
  );

  it("may be a HEIC file, as phones write it", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const heic = await readFile(new URL("../../fixtures/turned.heic", import.meta.url));
    ann.sendsDocument(heic, {
      caption: "slow zoom",
      mimeType: "application/octet-stream",
      fileName: "IMG_1.HEIC",
    });
    await ann.presses(/Generate/);
    await ann.sees(isResult);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("with words is asked for its price; below what the person allowed it begins at once", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const asked = await ann.sees("“slow zoom”");
    expect(asked.buttons[0]).toEqual([expect.stringContaining("Generate")]);
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
    ann.says("/settings");
    await ann.presses(/Ask only above/);
    ann.says("a lot");
    await ann.sees("⚠️");
    ann.says("1000");
    await ann.sees("Ask only above (tokens): 1000");
    await ann.presses("Save");
    await ann.sendsPhoto(photo, { caption: "leaves moving" });
    expect(await submitted(on, 2)).toEqual(["slow zoom", "leaves moving"]);
    // It needed no draft.
    expect(ann.chat().filter(({ text }) => text.includes("“leaves moving”"))).toEqual([]);
  });

  it("whose offers are answered in words is what people use most", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo);
    await ann.sees("that makes “Photo to video”");
    ann.says("slow zoom");
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("that somebody sent earlier can be replied to", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo);
    await ann.presses("Cancel");
    await ann.sees("Cancelled. Nothing was charged.");
    ann.replies(sent, "slow zoom");
    expect(await ann.sees("“slow zoom”")).toMatchObject({ replyTo: sent.id });
  });

  it("as a file is a photo too; what can never be read is refused at once", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsDocument(photo, { fileName: "holiday.jpg", mimeType: "image/jpeg" });
    await ann.sees("What shall I make");
    const tiff = await sharp(photo).tiff().toBuffer();
    ann.sendsDocument(tiff, { fileName: "holiday.jpg", mimeType: "image/jpeg" });
    expect((await ann.sees("Files of the type TIFF cannot be used")).buttons).toEqual([LEADING_ON]);
  });

  it("too large to be fetched is refused with a sentence", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const large = Buffer.concat([photo, Buffer.alloc(20 * 2 ** 20)]);
    ann.sendsDocument(large, { fileName: "poster.jpg", mimeType: "image/jpeg" });
    expect((await ann.sees("This file is too large: at most 21 MB.")).buttons).toEqual([LEADING_ON]);
  });
});

describe("in a group", () => {
  it("a photo counts when it mentions the bot, and only its sender can press", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    const ben = on.telegram.person({ name: "Ben" }).in(group);
    await ben.sendsPhoto(photo, { caption: "our boat" });
    await ann.sendsPhoto(photo, { caption: "@reelay_bot" });
    const offers = await ann.sees("What shall I make");
    await ben.presses("Photo to video");
    await ben.hears("This belongs to somebody else");
    await ann.presses("Photo to video");
    const draft = await ann.sees("Reply to this message with it.");
    expect(draft.id).toBe(offers.id);
    ben.replies(draft, "fire");
    ann.replies(draft, "slow zoom");
    await ann.sees("“slow zoom”");
    const said = ann.chat().filter(({ from, text }) => from === "bot" && !text.startsWith("Hello"));
    expect(said.map(({ id }) => id)).toEqual([draft.id]);
  });
});
