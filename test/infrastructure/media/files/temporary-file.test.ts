import { type FileHandle, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFile } from "../../../../src/infrastructure/media/files/temporary-file.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const given = (text: string) => Readable.from([Buffer.from(text)]);

describe("a temporary file", () => {
  it("is in no folder of its own, where only its owner reads it, and goes", async () => {
    const dir = join(temporaryFolder(), "made", "when", "missing");
    {
      await using file = await temporaryFile(join(dir, "one"), given("a film"));
      expect(await readdir(dir)).toEqual(["one"]);
      expect(await readFile(file.path, "utf8")).toBe("a film");
      expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(dir)).toEqual([]);
  });

  it("that is moved is flushed before it has its new name, and stays there", async () => {
    const dir = temporaryFolder();
    const any = await open(dir);
    const names: (readonly string[])[] = [];
    const sync = vi.spyOn(Object.getPrototypeOf(any) as FileHandle, "sync");
    onTestFinished(() => sync.mockRestore());
    await any.close();
    sync.mockImplementation(async () => void names.push(await readdir(dir)));
    {
      await using file = await temporaryFile(join(dir, "one"), given("a film"));
      expect(names).toEqual([]);
      await file.moveTo(join(dir, "kept"));
    }
    expect(names).toEqual([["one"]]);
    expect(await readdir(dir)).toEqual(["kept"]);
    expect(await readFile(join(dir, "kept"), "utf8")).toBe("a film");
  });

  it("that cannot be moved is where it was, and goes", async () => {
    const dir = temporaryFolder();
    {
      await using file = await temporaryFile(join(dir, "one"), given("a film"));
      await expect(file.moveTo(join(dir, "no", "such", "place"))).rejects.toMatchObject({ code: "ENOENT" });
      expect(await readFile(file.path, "utf8")).toBe("a film");
    }
    expect(await readdir(dir)).toEqual([]);
  });

  it("is looked at once all of it is there, and left where that finds it wrong", async () => {
    const dir = temporaryFolder();
    const long = "0123456789".repeat(20_000);
    const seen: unknown[] = [];
    const writing = temporaryFile(join(dir, "one"), given(long), {
      async check({ start, bytes, read }) {
        seen.push(bytes, long.startsWith(start.toString()), String(await read(11, 3)));
        seen.push(String(await read(bytes - 2, 10)), start.length >= 2 ** 16);
        throw new Error("It is none.");
      },
    });
    await expect(writing).rejects.toThrow("It is none.");
    expect(seen).toEqual([long.length, true, "123", "89", true]);
    expect(await readdir(dir)).toEqual([]);
  });
});
