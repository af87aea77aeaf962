import { describe, expect, it } from "vitest";
import { sniff } from "../../src/media/sniff.ts";

describe("sniff", () => {
  it.each([
    ["AVIF", "\0\0\0\x20ftypavif\0\0\0\0avifmif1"],
    ["AVIF", "\0\0\0\x20ftypmif1\0\0\0\0mif1miafavif"],
    ["HEIC", "\0\0\0\x20ftypmif1\0\0\0\0mif1miafheic"],
    ["HEIC", "\0\0\0\x20ftyphevc\0\0\0\0hevc"],
    ["WebP", "RIFF\x10\0\0\0WEBPVP8 "],
    ["TIFF", "MM\0*\0\0\0\x08"],
    ["WAV", "RIFF\x10\0\0\0WAVEfmt "],
    [undefined, "\xff\xd8"],
    [undefined, ""],
  ])("finds %s", (kind, head) => {
    expect(sniff(Buffer.from(head, "latin1"))).toBe(kind);
  });
});
