import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";

/** A small picture in one of the formats that requests may hold. */
export async function picture(format: "jpeg" | "png" | "webp" = "jpeg", side = 24): Promise<Buffer> {
  const grey = { width: side, height: side, channels: 3, background: "#468" } as const;
  return sharp({ create: grey }).toFormat(format).toBuffer();
}

/** A file that was made larger with bytes that no decoder reads. */
export function padded(file: Buffer, bytes: number): Buffer {
  return Buffer.concat([file, Buffer.alloc(Math.max(0, bytes - file.length))]);
}

/** A silent WAV file of a length in seconds; its size follows from the bytes per second. */
export function wav(seconds: number, bytesPerSecond = 8_000): Buffer {
  const channels = bytesPerSecond > 100_000 ? 4 : 1;
  const header = Buffer.alloc(44);
  const data = Math.round((seconds * bytesPerSecond) / channels) * channels;
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + data, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(bytesPerSecond / channels, 24);
  header.writeUInt32LE(bytesPerSecond, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(data, 40);
  return Buffer.concat([header, Buffer.alloc(data, 128)]);
}

/** A second of sound in every format of section 4.8, by MIME type. */
export function soundsByType(): ReadonlyMap<string, Buffer> {
  const dir = temporaryFolder();
  const files = { "audio/mpeg": "a.mp3", "audio/mp4": "a.m4a", "audio/aac": "a.aac", "audio/ogg": "a.ogg" };
  const outputs = Object.values(files).flatMap((name) => ["-t", "1", join(dir, name)]);
  execFileSync(testFfmpeg(), ["-v", "error", "-f", "lavfi", "-i", "sine", ...outputs]);
  return new Map([
    ["audio/wav", wav(1)],
    ...Object.entries(files).map(([type, name]) => [type, readFileSync(join(dir, name))] as const),
  ]);
}

/** A file as a request holds it. */
export function dataUri(type: string, file: Buffer): string {
  return `data:${type};base64,${file.toString("base64")}`;
}
