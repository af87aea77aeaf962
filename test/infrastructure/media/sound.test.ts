import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SoundBounds } from "../../../src/infrastructure/media/sounds/bounds.ts";
import { VID3_BOUNDS } from "../../../src/common/contract.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { findFfmpeg } from "../../../src/infrastructure/media/video/ffmpeg.ts";
import { prepareSound } from "../../../src/infrastructure/media/sounds/sound.ts";
import { withoutTags } from "../../../src/infrastructure/media/sounds/sound-tags.ts";

const run = promisify(execFile);
const ffmpeg = await findFfmpeg();
if (ffmpeg === undefined) throw new Error("These tests make their sounds with ffmpeg: install it.");

let sources: string;
beforeAll(async () => {
  sources = await mkdtemp(join(tmpdir(), "reelay-sounds-"));
});
afterAll(() => rm(sources, { recursive: true }));

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-sound-"));
});
afterEach(() => rm(dir, { recursive: true }));

/** A tone as ffmpeg writes it with these options; the name decides about the container. */
async function tone(name: string, seconds: number, ...options: string[]): Promise<Buffer> {
  const path = join(sources, name);
  const input = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`];
  await run(ffmpeg ?? "", ["-v", "error", "-y", ...input, ...options, path]);
  return readFile(path);
}

/** The same with moving pictures. */
async function film(name: string, ...options: string[]): Promise<Buffer> {
  const path = join(sources, name);
  const input = [
    "-f",
    "lavfi",
    "-i",
    "testsrc=duration=1:size=64x64",
    "-f",
    "lavfi",
    "-i",
    "sine=duration=1",
  ];
  await run(ffmpeg ?? "", ["-v", "error", "-y", ...input, ...options, path]);
  return readFile(path);
}

const { audios } = VID3_BOUNDS;

const prepare = (content: Buffer, bounds: Partial<SoundBounds> = {}) =>
  prepareSound(async () => Readable.from([content], { objectMode: false }), {
    dir,
    bounds: { ...audios, ...bounds },
  });

/** Why a file was refused; nothing may be left of it. */
async function refused(content: Buffer): Promise<unknown> {
  const error = await prepare(content).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ReelayError);
  expect(await readdir(dir)).toEqual([]);
  return error;
}

/** The sound as numbers, so that it can be compared without what is written around it. */
async function decoded(path: string): Promise<string> {
  const { stdout } = await run(ffmpeg ?? "", ["-v", "error", "-i", path, "-f", "md5", "-"]);
  return stdout;
}

describe("prepareSound", () => {
  it.each([
    ["a.mp3", "audio/mpeg", ["-c:a", "libmp3lame"]],
    ["a.mp2", "audio/mpeg", ["-c:a", "mp2"]],
    ["a.wav", "audio/wav", []],
    ["a.m4a", "audio/mp4", ["-c:a", "aac"]],
    // Without the brand of M4A, as phones write it.
    ["a.mp4", "audio/mp4", ["-c:a", "aac"]],
    ["fragments.mp4", "audio/mp4", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]],
    ["a.aac", "audio/aac", ["-c:a", "aac"]],
    ["vorbis.ogg", "audio/ogg", ["-c:a", "libvorbis"]],
    ["opus.ogg", "audio/ogg", ["-c:a", "libopus"]],
  ])("takes %s for %s and knows how long it is", async (name, type, options) => {
    const sound = await prepare(await tone(name, 2.5, ...options));
    expect(sound.type).toBe(type);
    // Encoders fill up their last frame.
    expect(sound.seconds).toBeGreaterThan(2.49);
    expect(sound.seconds).toBeLessThan(2.6);
  });

  it("counts the frames of an MP3 that does not say its length", async () => {
    const options = ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"];
    const sound = await prepare(await tone("bare.mp3", 7.5, ...options));
    expect(sound.seconds).toBeGreaterThan(7.49);
    expect(sound.seconds).toBeLessThan(7.6);
  });

  it("keeps it in a file of the owner's, opens it as often as needed, and disposes of it", async () => {
    const sound = await prepare(await tone("kept.wav", 1));
    expect((await stat(sound.path)).mode & 0o777).toBe(0o600);
    for (let times = 0; times < 2; times++) expect(await buffer(sound.open())).toHaveLength(sound.bytes);
    await sound.dispose();
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ["named.mp3", ["-c:a", "libmp3lame", "-write_id3v1", "1"]],
    ["named.wav", []],
    ["named.m4a", ["-c:a", "aac"]],
    ["early.m4a", ["-c:a", "aac", "-movflags", "faststart"]],
  ])("takes out what %s says about its maker, and leaves the sound as it is", async (name, options) => {
    const named = await tone(name, 1, ...options, "-metadata", "title=Rose Street");
    expect(named.includes("Rose Street")).toBe(true);
    const { path } = await prepare(named);
    expect((await readFile(path)).includes("Rose Street")).toBe(false);
    expect(await decoded(path)).toBe(await decoded(join(sources, name)));
  });
});

describe("prepareSound refuses", () => {
  it("a file beyond its bound in bytes", async () => {
    await expect(prepare(Buffer.alloc(2000), { maxBytes: 1999 })).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: 1999 },
    });
    expect(await readdir(dir)).toEqual([]);
  });

  it("what is too long, and says how long it is", async () => {
    expect(await refused(await tone("long.wav", 10.01))).toMatchObject({
      code: "sound_too_long",
      params: { seconds: 10.1, max: 10 },
    });
    expect((await prepare(await tone("full.wav", 10))).seconds).toBe(10);
  });

  it.each([
    ["MP4 video", "film.mp4", ["-c:v", "mpeg4", "-c:a", "aac"]],
    ["MP4 video", "silent.mp4", ["-c:v", "mpeg4", "-an"]],
    ["AVI", "film.avi", ["-c:v", "mjpeg"]],
    ["MOV", "film.mov", ["-c:v", "mpeg4", "-c:a", "aac"]],
  ])("a video: %s", async (found, name, options) => {
    expect(await refused(await film(name, ...options))).toMatchObject({
      code: "sound_type",
      params: { found },
    });
  });

  it("sounds of types that the service does not take", async () => {
    expect(await refused(await tone("a.flac", 1))).toMatchObject({
      code: "sound_type",
      params: { found: "FLAC" },
    });
    const wav = await tone("b.wav", 1);
    await expect(prepare(wav, { types: ["audio/mpeg"] })).rejects.toMatchObject({
      code: "sound_type",
      params: { found: "WAV" },
    });
  });

  it("pictures and texts", async () => {
    expect(await refused(Buffer.from([255, 216, 255, 224]))).toMatchObject({
      code: "sound_type",
      params: { found: "JPEG" },
    });
    expect(await refused(Buffer.from("hello"))).toMatchObject({ code: "sound_unreadable" });
    expect(await refused(Buffer.alloc(0))).toMatchObject({ code: "media_empty" });
  });

  it.each([
    ["nothing but a tag", Buffer.from("ID3")],
    [
      "a frame of silence without an end",
      Buffer.concat([Buffer.from([255, 251, 144, 0]), Buffer.alloc(3000)]),
    ],
    ["noise in an Ogg", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(3000, 7)])],
  ])("%s", async (_, content) => {
    expect(await refused(content)).toMatchObject({ code: "sound_unreadable" });
  });

  it("an M4A that breaks off", async () => {
    const whole = await tone("whole.m4a", 1, "-c:a", "aac");
    expect(await refused(whole.subarray(0, whole.length / 2))).toMatchObject({ code: "sound_unreadable" });
  });

  it("and passes on why a file could not be opened", async () => {
    const gone = new ReelayError("media_gone");
    await expect(prepareSound(() => Promise.reject(gone), { dir, bounds: audios })).rejects.toBe(gone);
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("withoutTags", () => {
  it("never fails and never adds anything, however damaged a file is", () => {
    const heads = fc.constantFrom(
      "RIFF\0\0\0\0WAVELIST",
      "\0\0\0\x10moov\0\0\0\0trak",
      "\0\0\0\x01udta",
      "ID3\x04\0\x10",
    );
    const kinds = fc.constantFrom("WAV", "M4A", "MP4", "MP3", "AAC", "Ogg");
    fc.assert(
      fc.property(kinds, heads, fc.uint8Array({ maxLength: 200 }), (kind, head, rest) => {
        const file = Buffer.concat([Buffer.from(head, "latin1"), rest]);
        expect(withoutTags(kind, file).length).toBeLessThanOrEqual(head.length + rest.length);
      }),
    );
  });

  it("goes no deeper into boxes than sounds do", () => {
    const nested = Buffer.alloc(8 * 100_000);
    for (let at = 0; at < nested.length; at += 8) nested.writeUInt32BE(nested.length - at, at);
    for (let at = 4; at < nested.length; at += 8) nested.write("moov", at);
    expect(withoutTags("MP4", nested)).toHaveLength(nested.length);
  });
});
