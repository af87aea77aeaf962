import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { temporaryFile } from "../../../../src/infrastructure/media/files/temporary-file.ts";

let dir: string;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "reelay-files-")), "media");
});
afterEach(() => rm(join(dir, ".."), { recursive: true }));

const from = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const idOf = (content: string) => createHash("sha256").update(content).digest("hex");

describe("media files", () => {
  it("are kept under the digest of what is in them, for the owner of the folder only", async () => {
    const files = await openMediaFiles(dir);
    expect(await files.put(from("hello ", "world"), 100)).toEqual({ id: idOf("hello world"), bytes: 11 });
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir, idOf("hello world")))).mode & 0o777).toBe(0o600);
  });

  it("are cut off beyond their bound, and nothing is left of them", async () => {
    const files = await openMediaFiles(dir);
    await expect(files.put(from("12345", "6"), 5)).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: 5 },
    });
    expect(await readdir(dir)).toEqual([]);
    await expect(files.put(from("12345"), 5)).resolves.toMatchObject({ bytes: 5 });
  });

  it("leave nothing behind when their source fails while the file is still being opened", async () => {
    const files = await openMediaFiles(dir);
    const source = from("never read");
    const putting = files.put(source, 100);
    source.destroy(new Error("the sender left"));
    await expect(putting).rejects.toThrow("the sender left");
    expect(await readdir(dir)).toEqual([]);
  });

  it("leave nothing behind when their source breaks off", async () => {
    const files = await openMediaFiles(dir);
    const source = new Readable({ read: () => {} });
    source.push("begun");
    setImmediate(() => source.destroy(new Error("the sender left")));
    await expect(files.put(source, 100)).rejects.toThrow("the sender left");
    expect(await readdir(dir)).toEqual([]);
  });

  it("are adopted from elsewhere on the disk without being written again", async () => {
    const files = await openMediaFiles(dir);
    await using made = await temporaryFile(join(dir, "..", "made"), from("a film"));
    const { ino } = await stat(made.path);
    const held = vi.fn<(id: string, path: string) => Promise<void>>(async () => {});
    expect(await files.adopt(made, 6, held)).toEqual({ id: made.digest, bytes: 6 });
    expect(held.mock.calls).toEqual([[made.digest, made.path]]);
    expect((await stat(join(dir, made.digest))).ino).toBe(ino);
    expect(await readdir(join(dir, ".."))).toEqual(["media"]);
  });

  it("are not adopted beyond their bound, nor where what is to be done before fails", async () => {
    const files = await openMediaFiles(dir);
    await using made = await temporaryFile(join(dir, "..", "made"), from("a film"));
    await expect(files.adopt(made, 5)).rejects.toMatchObject({ code: "media_too_large", params: { max: 5 } });
    await expect(files.adopt(made, 6, () => Promise.reject(new Error("not held")))).rejects.toThrow(
      "not held",
    );
    expect([await readdir(dir), await stat(made.path)]).toMatchObject([[], { size: 6 }]);
  });

  it.runIf(existsSync("/dev/shm"))("are adopted from another disk, too", async () => {
    const other = await mkdtemp("/dev/shm/reelay-files-");
    try {
      const files = await openMediaFiles(dir);
      await using made = await temporaryFile(join(other, "made"), from("a film"));
      expect(await files.adopt(made, 6)).toEqual({ id: made.digest, bytes: 6 });
      expect(await text(await files.open(made.digest))).toBe("a film");
      expect(await readdir(dir)).toEqual([made.digest]);
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it.each(["../secret", "/etc/passwd", "..", "", idOf("x").toUpperCase(), `${idOf("x")}/`, `${idOf("x")}\n`])(
    "take no path for an id: %j",
    async (id) => {
      const files = await openMediaFiles(dir);
      await writeFile(join(dir, "..", "secret"), "secret");
      await expect(files.open(id)).rejects.toMatchObject({ code: "media_gone" });
      await expect(files.stat(id)).rejects.toMatchObject({ code: "media_gone" });
      await expect(files.remove(id)).rejects.toMatchObject({ code: "media_gone" });
    },
  );

  it("are swept of what a crash left half written, but not of what is being written", async () => {
    const { id } = await (await openMediaFiles(dir)).put(from("kept"), 10);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await writeFile(join(dir, "unfinished-old"), "half");
    await utimes(join(dir, "unfinished-old"), longAgo, longAgo);
    await utimes(join(dir, id), longAgo, longAgo);
    await writeFile(join(dir, "unfinished-new"), "half");
    await openMediaFiles(dir);
    expect((await readdir(dir)).sort()).toEqual([id, "unfinished-new"].sort());
  });
});
