import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { streamToFile, temporaryFolder } from "../../../../src/infrastructure/media/files/written.ts";

/** The signature of a PNG, and something after it. */
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(300, 7)]);

const inChunksOf = (bytes: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(PNG.length / bytes) }, (_, n) => PNG.subarray(n * bytes, (n + 1) * bytes)),
  );

describe("a stream that is written to a file", () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "reelay-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it.each([1, 5, 63, 64, 65, 1000])("is known as the file is, in chunks of %i bytes", async (bytes) => {
    const path = join(dir, "file");
    expect(await streamToFile(path, inChunksOf(bytes), { maxBytes: PNG.length })).toEqual({
      path,
      bytes: PNG.length,
      kind: "PNG",
      digest: createHash("sha256").update(PNG).digest("hex"),
    });
    expect(readFileSync(path)).toEqual(PNG);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is of no known kind when it is empty", async () => {
    const written = await streamToFile(join(dir, "file"), Readable.from([]));
    expect(written).toMatchObject({ bytes: 0, kind: undefined });
  });

  it("leaves nothing when it is too large, breaks or is given up, however early", async () => {
    const path = join(dir, "file");
    await expect(streamToFile(path, inChunksOf(9), { maxBytes: PNG.length - 1 })).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: PNG.length - 1 },
    });
    const broken = async function* () {
      yield PNG;
      throw new Error("broken");
    };
    await expect(streamToFile(path, Readable.from(broken()))).rejects.toThrow("broken");
    const signal = AbortSignal.abort();
    await expect(streamToFile(path, inChunksOf(9), { signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(dir)).toEqual([]);
  });
});

it.runIf(existsSync("/dev/full"))(
  "of a full disk is that nothing can be kept, and nothing is left",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "reelay-"));
    const path = join(dir, "file");
    // A device of Linux that takes nothing; what is removed is the link.
    symlinkSync("/dev/full", path);
    await expect(streamToFile(path, inChunksOf(100))).rejects.toMatchObject({
      code: "storage_down",
      params: { reason: "the disk is full" },
    });
    expect(readdirSync(dir)).toEqual([]);
    rmSync(dir, { recursive: true });
  },
);

it("a temporary folder is made where its place is missing, and goes with what is in it", async () => {
  const root = mkdtempSync(join(tmpdir(), "reelay-"));
  {
    await using folder = await temporaryFolder(join(root, "scratch"), "one-");
    await streamToFile(join(folder.path, "file"), inChunksOf(100));
    await mkdir(join(folder.path, "another", "folder"), { recursive: true });
    expect(readdirSync(join(root, "scratch"))).toHaveLength(1);
  }
  expect(readdirSync(join(root, "scratch"))).toEqual([]);
  rmSync(root, { recursive: true });
});
