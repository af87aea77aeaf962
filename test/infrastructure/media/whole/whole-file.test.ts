import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholeFile } from "../../../../src/infrastructure/media/whole/whole-file.ts";
import { OPEN_ENDED, type Sample, SAMPLES } from "./files.ts";

/** Takes a file that comes in pieces of some size to its end. */
async function taken({ kind, type, bytes }: Sample, piece = 700, announced?: number) {
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  const stream = Readable.from(pieces(), { objectMode: false });
  const file = await wholeFile({ stream, type, bytes: announced }, kind);
  return { type: file.type, bytes: await buffer(file.stream) };
}

const isLate = { code: "result_late" };
const names = Object.keys(SAMPLES);
const sampleOf = (name: string): Sample => {
  const sample = SAMPLES[name];
  if (!sample) throw new Error(`There is no ${name}.`);
  return sample;
};

describe.each(names)("%s", (name) => {
  const sample = sampleOf(name);

  it("is let through unchanged, in pieces of whatever size", async () => {
    for (const piece of [1, 7, 64, 4096, sample.bytes.length]) {
      const got = await taken(sample, piece);
      expect(got.bytes.equals(sample.bytes)).toBe(true);
      expect(got.type).toBe(sample.type);
    }
  });

  it("is known whatever its sender calls it", async () => {
    expect((await taken({ ...sample, type: "application/octet-stream" })).type).toBe(sample.type);
  });

  it("is no result where fewer bytes come than were announced", async () => {
    await expect(taken(sample, 700, sample.bytes.length + 1)).rejects.toMatchObject(isLate);
    await expect(taken(sample, 700, sample.bytes.length)).resolves.toBeDefined();
  });
});

// Where a format goes on to the end of its file, one that is cut off cannot be told from a shorter one.
it.each(names.filter((name) => !OPEN_ENDED.includes(name)))(
  "%s is no result when it is cut off, wherever that is",
  async (name) => {
    const sample = sampleOf(name);
    const refused = async (end: number) => {
      const part = { ...sample, bytes: sample.bytes.subarray(0, end) };
      await expect(taken(part), `cut off at ${end}`).rejects.toMatchObject(isLate);
    };
    // A few cuts at random miss the one between two parts.
    for (let end = 0; end < Math.min(sample.bytes.length, 2000); end++) await refused(end);
    const cut = fc.integer({ min: 0, max: sample.bytes.length - 1 });
    await fc.assert(fc.asyncProperty(cut, refused), { numRuns: 60 });
  },
);

describe("what is no result", () => {
  const page = `<!doctype html><title>Log in</title>${"<p>words</p>".repeat(200)}`;
  const others: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    "a page": Buffer.from(page),
    "a page with a mark in front": Buffer.from(`\ufeff${page}`),
    "a page in UTF-16": Buffer.from(`\ufeff${page}`, "utf16le"),
    "a page that came compressed": gzipSync(page),
    "a message": Buffer.from('{"error":"Not ready","code":404}'),
    "one word": Buffer.from("pending"),
    "words in other letters": Buffer.from("Plik nie jest jeszcze gotowy: zażółć gęślą jaźń"),
    "a document": Buffer.from("%PDF-1.7\n\x00\x01\x02"),
    "an archive": Buffer.from("PK\x03\x04\x14\x00\x00\x00\x00\x00"),
    noise: Buffer.alloc(3_000, 1),
    "a sound": Buffer.from("ID3\x04\x00\x00\x00\x00\x00\x00\xff\xfb\x90\x00", "latin1"),
  };
  const types = ["video/mp4", "image/png", "text/html", "application/octet-stream"];

  it.each(Object.keys(others))("is %s, whatever it is called", async (name) => {
    const bytes = others[name] ?? Buffer.alloc(0);
    for (const type of types)
      for (const kind of ["video", "image"] as const)
        await expect(taken({ kind, type, bytes })).rejects.toMatchObject(isLate);
  });

  it("is a picture in the place of a film, and a film in the place of a picture", async () => {
    await expect(taken({ ...sampleOf("picture.jpg"), kind: "video" })).rejects.toMatchObject(isLate);
    await expect(taken({ ...sampleOf("tables-first.mp4"), kind: "image" })).rejects.toMatchObject(isLate);
  });

  it("is a film without its tables, or with nothing for them to tell of", async () => {
    const { bytes } = sampleOf("tables-last.mp4");
    const tables = bytes.indexOf("moov") - 4;
    const content = bytes.indexOf("mdat") - 4;
    for (const part of [
      bytes.subarray(0, tables),
      Buffer.concat([bytes.subarray(0, content), bytes.subarray(tables)]),
    ])
      await expect(taken({ kind: "video", type: "video/mp4", bytes: part })).rejects.toMatchObject(isLate);
  });

  it("is a film for the web whose pictures never came, or that has none", async () => {
    const { bytes, ...sample } = sampleOf("film.webm");
    const cluster = bytes.indexOf(Buffer.from("1f43b675", "hex"));
    for (const filling of ["\0", "<p>Please wait</p>"])
      for (const from of [cluster + 30, Math.floor(bytes.length / 2)]) {
        const part = Buffer.from(bytes).fill(filling, from);
        await expect(taken({ ...sample, bytes: part })).rejects.toMatchObject(isLate);
      }
    // What kind of track it is (RFC 9559, section 5.1.4.1.3).
    const type = bytes.indexOf(Buffer.from("838101", "hex"));
    const sound = Buffer.from(bytes).fill(2, type + 2, type + 3);
    await expect(taken({ ...sample, bytes: sound })).rejects.toMatchObject(isLate);
  });

  it("is a stream that breaks off, and whoever gave it up hears of that instead", async () => {
    const { bytes } = sampleOf("tables-first.mp4");
    const breaking = (error: Error) =>
      Readable.from(
        (async function* () {
          yield bytes.subarray(0, 1000);
          throw error;
        })(),
        { objectMode: false },
      );
    const through = async (error: Error) =>
      buffer((await wholeFile({ stream: breaking(error), type: "video/mp4" }, "video")).stream);
    await expect(through(new Error("reset"))).rejects.toMatchObject(isLate);
    const gaveUp = new DOMException("Stopped.", "AbortError");
    await expect(through(gaveUp)).rejects.toBe(gaveUp);
  });
});

describe("what is known of other formats", () => {
  it("is taken where players show it: which formats come is not documented", async () => {
    const transport = Buffer.concat(
      Array.from({ length: 20 }, () => Buffer.from(`\x47\x40\x00\x10${"\xff".repeat(184)}`, "latin1")),
    );
    for (const type of ["video/mp2t", "application/octet-stream", ""])
      expect((await taken({ kind: "video", type, bytes: transport })).bytes.equals(transport)).toBe(true);
    await expect(taken({ kind: "video", type: "text/html", bytes: transport })).rejects.toMatchObject(isLate);
  });

  it("may have a tail of its own behind what is whole", async () => {
    const { bytes, ...sample } = sampleOf("tables-first.mp4");
    for (const tail of [Buffer.alloc(5), Buffer.alloc(64), Buffer.from("\x00\x00\x00\x00SEFT", "latin1")])
      await expect(taken({ ...sample, bytes: Buffer.concat([bytes, tail]) })).resolves.toBeDefined();
    const picture = sampleOf("picture.jpg");
    await expect(
      taken({ ...picture, bytes: Buffer.concat([picture.bytes, Buffer.alloc(9)]) }),
    ).resolves.toBeDefined();
  });
});
