import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FULL } from "../../../../src/common/disk.ts";
import { sleep } from "../../../../src/common/time.ts";
import { decode } from "../../../../src/infrastructure/media/decoder/decoder.ts";
import { prepareImage } from "../../../../src/infrastructure/media/pictures/image.ts";
import { asUnreadable } from "../../../../src/infrastructure/media/pictures/picture.ts";
import { blackPng, longGif, resizedHeic } from "../support/bombs.ts";
import { decoders, peakMb } from "../support/decoders.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-decoder-"));
});
afterEach(() => rm(dir, { recursive: true }));

const prepare = (content: Buffer) => prepareImage(async () => Readable.from([content]), { dir });
/** What became of a file: a code, or its size. */
const outcome = (content: Buffer) =>
  prepare(content).then(
    ({ width, height }) => `${width} x ${height}`,
    (error: unknown) => (error as { code?: string }).code,
  );

const photo = () => sharp({ create: { width: 60, height: 40, channels: 3, background: "red" } });
const heic = await readFile(new URL("../../../fixtures/halves.heic", import.meta.url));

/** The process's memory now, in MB. */
const rssMb = () => process.memoryUsage.rss() / 2 ** 20;

/** What a file that looks harmless may cost: a decoder with nothing to do holds some 100 MB. */
const DECODER_MB = 450;
const SERVER_MB = 150;

const external = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text><image href="http://127.0.0.1/"/></svg>`;
const zip = Buffer.from("PK\x03\x04\x14\0\0\0\x08\0", "latin1");
const mp4 = Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomiso2", "latin1");

describe("a file that is not what it should be", () => {
  it.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ["a line of a million pixels", "media_dimensions", () => blackPng(1, 1_000_000)],
    ["the same, lying", "media_dimensions", () => blackPng(1_000_000, 1)],
    ["2,500 megapixels in some kilobytes", "media_dimensions", () => blackPng(50_000, 50_000, 100)],
    ["a header that lies", "media_unreadable", () => blackPng(4_000, 3_000, 10)],
    ["a GIF of 100,000 frames", "1 x 1", () => longGif(100_000)],
    ["a HEIC that says it is huge", "media_dimensions", () => resizedHeic(heic, 60_000, 40_000)],
    [
      "a HEIC of more than it can be",
      "media_dimensions",
      () => resizedHeic(heic, 4_294_967_295, 4_294_967_295),
    ],
    ["a HEIC that lies", "media_unreadable", () => heic.subarray(0, 900)],
    ["a TIFF", "media_type", () => photo().tiff().toBuffer()],
    ["an SVG that refers to files", "media_type", () => Buffer.from(external)],
    ["a PDF", "media_type", () => Buffer.from("%PDF-1.7\n%\xe2\xe3\n1 0 obj<<>>endobj", "latin1")],
    ["a ZIP under another name", "media_unreadable", () => zip],
    ["a video", "media_type", () => mp4],
    [
      "a JPEG with an SVG behind it",
      "60 x 40",
      async () => Buffer.concat([await photo().jpeg().toBuffer(), Buffer.from(external)]),
    ],
    [
      "an SVG that begins like a JPEG",
      "media_unreadable",
      () => Buffer.concat([Buffer.from([255, 216, 255]), Buffer.from(external)]),
    ],
    [
      "a TIFF that begins like a GIF",
      "media_unreadable",
      async () => Buffer.concat([Buffer.from("GIF89a"), await photo().tiff().toBuffer()]),
    ],
  ])("%s costs a sentence, no memory: %s", async (_, found, make) => {
    const file = await make();
    const before = rssMb();
    expect(await outcome(file)).toBe(found);
    expect(rssMb() - before).toBeLessThan(SERVER_MB);
    expect(Math.max(...decoders().map(peakMb))).toBeLessThan(DECODER_MB);
    expect((await readdir(dir)).length).toBe(found.includes(" x ") ? 1 : 0);
  });
});

/** What is written there finds a full disk. */
const FULL_DISK = "/dev/full";

describe("a decoder", () => {
  it.runIf(existsSync(FULL_DISK))(
    "says of a full disk that it is full, and nothing of the picture",
    async () => {
      const path = join(dir, "photo.jpg");
      await photo().jpeg().toFile(path);
      const picture = { path, kind: "jpeg" } as const;
      const making = decode("makeImage", { picture, to: FULL_DISK, maxSide: 60 }).catch(asUnreadable);
      await expect(making).rejects.toMatchObject({ code: "storage_down", params: { reason: FULL } });
    },
  );

  it("that ends before it has begun with a file costs nothing, while others are decoded", async () => {
    const good = await photo().jpeg().toBuffer();
    await outcome(good);
    const [stuck = 0] = decoders();
    process.kill(stuck, "SIGSTOP");
    // As many as there are processes at least: one of them is given to that one.
    const both = [outcome(good), outcome(good)];
    expect(await Promise.race(both)).toBe("60 x 40");
    process.kill(stuck, "SIGKILL");
    expect(await Promise.all(both)).toEqual(["60 x 40", "60 x 40"]);
    expect(decoders()).not.toContain(stuck);
  });

  it.skipIf(process.platform === "win32")("that is killed in the middle costs that one file", async () => {
    const pipe = join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    const decoding = decode("probeImage", { path: pipe }).catch(String);
    // It opens as soon as the decoder has opened it too, which then waits for what never comes.
    const writer = await open(pipe, "w");
    for (const pid of decoders()) process.kill(pid, "SIGKILL");
    expect(await decoding).toBe("Error: The decoder ended with SIGKILL");
    await writer.close();
    expect(await outcome(await photo().jpeg().toBuffer())).toBe("60 x 40");
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "is not ended by %s, which a terminal sends to all",
    async (signal) => {
      await outcome(await photo().jpeg().toBuffer());
      const [pid = 0] = decoders();
      process.kill(pid, "SIGSTOP");
      const one = outcome(await photo().png().toBuffer());
      process.kill(pid, signal);
      process.kill(pid, "SIGCONT");
      expect(await one).toBe("60 x 40");
    },
  );

  it.runIf(process.platform === "linux")("is told no secret, and is ended before the server is", async () => {
    for (const pid of decoders()) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(decoders()).toEqual([]), { timeout: PATIENCE_MS });
    process.env["REELAY_SECRET"] = "not to be told";
    try {
      expect(await outcome(await photo().jpeg().toBuffer())).toBe("60 x 40");
    } finally {
      delete process.env["REELAY_SECRET"];
    }
    const [pid = 0] = decoders();
    const told = readFileSync(`/proc/${pid}/environ`, "latin1");
    expect(told).toContain("PATH=");
    expect(told).not.toContain("REELAY");
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim()).toBe("1000");
  });

  it.each(["memory", "time", "patience"])(
    "is ended when it takes too much %s, whatever it is doing",
    async (what) => {
      const program = new URL("../support/watched-child.ts", import.meta.url);
      const child = fork(program, [what], { stdio: "ignore" });
      expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    },
  );

  it("is given for its file what it stands still meanwhile", async () => {
    const program = new URL("../support/watched-child.ts", import.meta.url);
    const child = fork(program, ["pauses"], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    // Longer than it may hang.
    await sleep(3_000);
    child.kill("SIGCONT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("leaves nothing behind in the folder for temporary files", async () => {
    expect(readdirSync(dir)).toEqual([]);
    await outcome(blackPng(4_000, 3_000, 10));
    expect(readdirSync(dir)).toEqual([]);
  });
});
