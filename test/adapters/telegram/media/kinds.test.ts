import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { findFfmpeg } from "../../../../src/infrastructure/media/video/ffmpeg.ts";
import { firstFrame } from "../../../../src/infrastructure/media/video/frames.ts";
import { temporaryFolder, testPicture } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import type { Person } from "../../../support/telegram/person.ts";
import { harness } from "../words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");
const OFFER = "What shall I make from this picture?";

const color = (name: string) => ["-f", "lavfi", "-i", `color=${name}:s=320x240:d=0.4:r=10`];

/** A film that begins red and goes on in blue. */
async function film(extension: "mp4" | "webm"): Promise<Buffer> {
  const to = join(temporaryFolder(), `film.${extension}`);
  const codec = extension === "webm" ? ["-c:v", "libvpx"] : ["-c:v", "libx264", "-pix_fmt", "yuv420p"];
  const joined = ["-filter_complex", "[0:v][1:v]concat=n=2:v=1"];
  const ffmpeg = (await findFfmpeg()) ?? "ffmpeg";
  await promisify(execFile)(ffmpeg, ["-y", ...color("red"), ...color("blue"), ...joined, ...codec, to]);
  return readFile(to);
}

let mp4: Buffer;
let webm: Buffer;
beforeAll(async () => {
  [mp4, webm] = await Promise.all([film("mp4"), film("webm")]);
});

describe("a picture that is no photo is offered as one", () => {
  const ways: Record<string, (ann: Person) => unknown> = {
    "a HEIC document without a type": async (ann) =>
      ann.sendsDocument(await readFile("test/fixtures/turned.heic"), { fileName: "IMG_1.HEIC" }),
    "a video": (ann) => ann.sendsVideo(mp4, { mimeType: "video/mp4" }),
    "a video as a document": (ann) => ann.sendsDocument(mp4, { fileName: "a.mp4", mimeType: "video/mp4" }),
    "an animation": (ann) => ann.sendsAnimation(mp4),
    "a round video": (ann) => ann.sendsVideoNote(mp4),
    "a sticker": async (ann) => ann.sendsSticker(await sharp(photo).webp().toBuffer()),
    "a video sticker": (ann) => ann.sendsSticker(webm, "video"),
  };
  it.each(Object.entries(ways))("%s", async (_, send) => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await send(ann);
    expect((await ann.sees(OFFER)).buttons.flat()).toContain("Photo to video");
  });

  it("a video by its first frame, with its caption", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.sendsVideo(mp4, { mimeType: "video/mp4", caption: "it goes on" });
    await ann.sees("“it goes on”");
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["it goes on"]);
  });

  it("a video by what it shows at its very beginning", async () => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, "film.mp4"), join(folder, "frame.png")];
    await writeFile(from, mp4);
    expect(await firstFrame((await findFfmpeg()) ?? "ffmpeg", { from, to, side: 2560 })).toBe(true);
    const { dominant } = await sharp(to).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(50);
    expect(await sharp(to).metadata()).toMatchObject({ width: 320, height: 240 });
  });

  it("a video that a command answers", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.replies(ann.sendsVideo(mp4, { mimeType: "video/mp4" }), "/video slow zoom");
    expect((await ann.sees(/^Photo to video\n.*“slow zoom”/s)).text).toContain("Photo: ✓");
  });
});

describe("what cannot be used says why", () => {
  it("a sticker that each phone draws anew", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const sent = ann.sendsSticker(Buffer.from([0x1f, 0x8b, 0, 0]), "drawn");
    const { replyTo, buttons } = await ann.sees("I can't take a picture from this animated sticker.");
    expect(replyTo).toBe(sent.id);
    expect(buttons.flat()).toEqual(["📷 Send a photo", "✨ Templates"]);
  });

  it("a picture that is none, with the way on, also where nothing was said to it", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsDocument(Buffer.from("%PDF-1.7"), { fileName: "cat.jpg", mimeType: "image/jpeg" });
    const { buttons } = await ann.sees("Files of the type PDF cannot be used.");
    expect(buttons.flat()).toEqual(["📷 Send a photo", "✨ Templates"]);
    await ann.presses("✨ Templates");
    await ann.sees(/^Templates are/);
  });

  it("a video that is none", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const sent = ann.sendsVideo(Buffer.from("no video"), { mimeType: "video/mp4" });
    expect((await ann.sees("This video cannot be read.")).replyTo).toBe(sent.id);
  });

  it("a video where there is no ffmpeg", async () => {
    await using on = await harness({ settings: { REELAY_FFMPEG: "/nowhere/ffmpeg" } });
    const ann = on.telegram.person({ name: "Ann" });
    const sent = ann.sendsVideo(mp4, { mimeType: "video/mp4" });
    expect((await ann.sees("This installation cannot look into videos.")).replyTo).toBe(sent.id);
  });
});

describe("a caption that was written anew", () => {
  it("becomes the words of the draft that it began", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const { id } = await ann.sees("“slow zoom”");
    ann.edits(sent, "fast zoom");
    expect(await ann.sees("“fast zoom”")).toMatchObject({ id });
  });

  it("says what is meant where there was none", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo);
    const { id } = await ann.sees(OFFER);
    ann.edits(sent, "slow zoom");
    expect(await ann.sees("“slow zoom”")).toMatchObject({ id });
  });

  it("of anything else is left alone", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const first = await ann.sendsPhoto(photo);
    const { id } = await ann.sees(OFFER);
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("“slow zoom”");
    ann.edits(first, "fast zoom");
    ann.says("/help");
    await ann.sees("pick a template");
    expect(ann.chat().find((message) => message.id === id)?.text).toContain(OFFER);
  });
});
