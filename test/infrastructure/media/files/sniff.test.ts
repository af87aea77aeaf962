import { describe, expect, it } from "vitest";
import { sniff } from "../../../../src/infrastructure/media/files/sniff.ts";

describe("sniff", () => {
  it.each([
    ["AVIF", "\0\0\0\x20ftypavif\0\0\0\0avifmif1"],
    ["AVIF", "\0\0\0\x20ftypmif1\0\0\0\0mif1miafavif"],
    ["HEIC", "\0\0\0\x20ftypmif1\0\0\0\0mif1miafheic"],
    ["HEIC", "\0\0\0\x20ftyphevc\0\0\0\0hevc"],
    ["WebP", "RIFF\x10\0\0\0WEBPVP8 "],
    ["MP3", "ID3\x04\0\0"],
    ["MP3", "\xff\xfb\x90\0"],
    ["MP3", "\xff\xe3\x18\xc4"],
    ["AAC", "\xff\xf1\x50\x80"],
    ["Ogg", "OggS\0\x02"],
    ["M4A", "\0\0\0\x20ftypM4A \0\0\x02\0"],
    ["MP4", "\0\0\0\x20ftypisom\0\0\x02\0"],
    ["MOV", "\0\0\0\x14ftypqt  \0\0\x02\0"],
    ["WebM", "\x1aE\xdf\xa3"],
    ["FLAC", "fLaC\0"],
    // A text in UTF-16, and a JPEG: neither is a frame of sound.
    [undefined, "\xff\xfeh\0i\0"],
    ["JPEG", "\xff\xd8\xff\xe0"],
    ["TIFF", "MM\0*\0\0\0\x08"],
    ["WAV", "RIFF\x10\0\0\0WAVEfmt "],
    [undefined, "\xff\xd8"],
    [undefined, ""],
  ])("finds %s", (kind, head) => {
    expect(sniff(Buffer.from(head, "latin1"))).toBe(kind);
  });
});
