import { createHash } from "node:crypto";
import fs from "node:fs";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";

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

  it("are kept once, however often they are put, also at the same time", async () => {
    const files = await openMediaFiles(dir);
    const puts = await Promise.all(Array.from({ length: 5 }, () => files.put(from("same"), 100)));
    expect(new Set(puts.map(({ id }) => id)).size).toBe(1);
    expect(await readdir(dir)).toEqual([idOf("same")]);
  });

  it("are read whole or in part", async () => {
    const files = await openMediaFiles(dir);
    const { id } = await files.put(from("0123456789"), 100);
    expect(await text(await files.open(id))).toBe("0123456789");
    expect(await text(await files.open(id, { start: 2, end: 4 }))).toBe("234");
    expect(await files.stat(id)).toEqual({ bytes: 10 });
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

  it("leave nothing behind when they fail while the file is still being opened", async () => {
    const files = await openMediaFiles(dir);
    const { open } = fs;
    let opened: Promise<void> | undefined;
    const slowly = (...args: Parameters<typeof open>) => {
      opened = setTimeout(20).then(() => open(...args));
    };
    vi.spyOn(fs, "open").mockImplementationOnce(slowly);
    await expect(files.put(from("too long"), 1)).rejects.toMatchObject({ code: "media_too_large" });
    await opened;
    await setTimeout(20);
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

  it("are gone when removed, and removing again is no mistake", async () => {
    const files = await openMediaFiles(dir);
    const { id } = await files.put(from("x"), 10);
    await files.remove(id);
    await files.remove(id);
    await expect(files.open(id)).rejects.toMatchObject({ code: "media_gone" });
    await expect(files.stat(id)).rejects.toMatchObject({ code: "media_gone" });
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
