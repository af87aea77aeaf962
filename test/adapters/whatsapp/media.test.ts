import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { soundFile } from "../../sandbox/clip.ts";
import type { Person } from "../../support/whatsapp/person.ts";
import { harness, isFilm, photo } from "./harness.ts";

const noise = soundFile("ogg", 1);
const sticker = await sharp(photo).webp().toBuffer();

/** What is said of something that somebody sent: one message. */
async function answerTo(ann: Person): Promise<string> {
  const said = await ann.sees(() => true, { fresh: true });
  return said.text;
}

describe("a picture", () => {
  it.each<[what: string, send: (ann: Person) => void]>([
    ["a sticker", (ann) => ann.sendsSticker(sticker)],
    ["a document", (ann) => ann.sendsDocument(photo)],
    [
      "a document in capitals, of a type with a note",
      (ann) => ann.sendsDocument(photo, { mimeType: "IMAGE/JPEG; q=1" }),
    ],
    [
      "a document that says nothing of itself but its name",
      (ann) => ann.sendsDocument(photo, { mimeType: "application/octet-stream", fileName: "IMG_1.HEIC" }),
    ],
  ])("that comes as %s is offered something to be made of", async (_what, send) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    send(ann);
    expect(await answerTo(ann)).toContain("What shall I make from this picture?");
  });

  it.each<[what: string, send: (ann: Person) => void, said: RegExp]>([
    [
      "is none",
      (ann) => ann.sendsDocument(Buffer.from("no picture".repeat(99)), { mimeType: "image/jpeg" }),
      /cannot be (used|read)/,
    ],
    [
      "is a text that is said to be one",
      (ann) => ann.sendsPhoto(Buffer.from("%PDF-1.4 no picture")),
      /cannot be (used|read)/,
    ],
    ["is half of one", (ann) => ann.sendsPhoto(photo.subarray(0, photo.length / 2)), /cannot be read/],
    [
      "is larger than WhatsApp ever keeps",
      (ann) => ann.sendsDocument(Buffer.alloc(100 * 2 ** 20 + 1, 1), { mimeType: "image/png" }),
      /too large: at most/,
    ],
  ])("that %s is told to be, at once, and nothing is charged", async (_what, send, said) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    send(ann);
    expect(await answerTo(ann)).toMatch(said);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("that Meta has deleted when it is to be made something of is asked for again", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const { file } = ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("2.7 tokens");
    at.whatsapp.expire(file?.id ?? "");
    await ann.presses(/generate/i);
    await ann.sees("no longer there", { fresh: true });
    expect((await at.sandbox.ledger()).submissions).toEqual([]);
  });

  it("whose server says nothing holds its person up for seconds, not for a minute", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    at.whatsapp.filesFail({ kind: "silence" }, 1_000);
    const began = performance.now();
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    const offer = await ann.sees("2.7 tokens");
    expect(performance.now() - began).toBeLessThan(30_000);
    await ann.presses(/generate/i, { on: offer });
    const told = await ann.sees(/could not be fetched.*Nothing was charged/s);
    at.whatsapp.filesWork();
    await ann.presses(/generate/i, { on: told });
    await ann.sees(isFilm);
    expect((await at.sandbox.ledger()).submissions.map(({ prompt }) => prompt)).toEqual(["slow zoom"]);
  });

  it("is meant by words that answer it", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const sent = ann.sendsPhoto(photo);
    await ann.sees("What shall I make from this picture?");
    ann.says("/video slow zoom", { replyTo: sent });
    await ann.presses(/generate/i, { on: await ann.sees("2.7 tokens", { fresh: true }) });
    await ann.sees(isFilm);
    expect((await at.sandbox.ledger()).submissions.map(({ prompt }) => prompt)).toEqual(["slow zoom"]);
  });

  it("comes with others close together: they are one draft, said once", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsAlbum([photo, sticker, photo], { caption: "they meet" });
    expect(await answerTo(ann)).toMatch(/3 pictures/);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });
});

describe("a sound", () => {
  it.each<[what: string, send: (ann: Person) => void]>([
    ["a voice message", (ann) => ann.sendsVoice(noise)],
    ["music", (ann) => ann.sendsAudio(soundFile("mp3", 1))],
    ["a document", (ann) => ann.sendsDocument(noise, { mimeType: "audio/ogg", fileName: "voice.ogg" })],
  ])("that comes as %s begins a draft, which asks for its pictures", async (_what, send) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    send(ann);
    expect(await answerTo(ann)).toContain("Reference sounds: 1 sound");
    ann.sendsPhoto(photo);
    expect(await answerTo(ann)).toContain("Pictures: 1 picture");
  });

  it.each<[what: string, send: (ann: Person) => void, said: string]>([
    [
      "of a type that nobody takes",
      (ann) => ann.sendsAudio(noise, { mimeType: "audio/amr" }),
      "AMR cannot be used as a sound",
    ],
    ["that is none", (ann) => ann.sendsVoice(Buffer.alloc(30_000, "OggS")), "This sound cannot be read."],
    ["that is too long", (ann) => ann.sendsVoice(soundFile("ogg", 11)), "This sound is too long: 11 seconds"],
    [
      "that is too large",
      (ann) => ann.sendsAudio(Buffer.alloc(8_000_001, 1)),
      "This file is too large: at most 8 MB.",
    ],
  ])("%s is told to be", async (_what, send, said) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    send(ann);
    expect(await answerTo(ann)).toContain(said);
  });
});

describe("what nothing is made of", () => {
  it("is answered by a sentence: a document of another kind, and a place", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsDocument(Buffer.from("%PDF-1.4"), { mimeType: "application/pdf", fileName: "letter.pdf" });
    expect(await answerTo(ann)).toContain("Send me a photo");
    ann.sendsLocation();
    expect(await answerTo(ann)).toContain("Send me a photo of it instead");
  });

  it("is not answered where it asks for nothing: a reaction, put there and taken away", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("/balance");
    const said = await ann.sees(() => true);
    ann.reacts(said, "👍");
    ann.reacts(said, "");
    await at.whatsapp.untilHeard();
    ann.says("/balance");
    await ann.sees(() => true, { fresh: true });
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(2);
  });
});
