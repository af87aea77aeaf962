import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { receiveFile } from "../../../../src/infrastructure/media/files/prepared.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const given = (text: string) => async () => Readable.from([Buffer.from(text)]);

describe("a file that somebody gave", () => {
  it("is among temporary files, where only their owner reads it, and leaves nothing", async () => {
    const dir = join(temporaryFolder(), "made", "when", "missing");
    {
      await using file = await receiveFile(given("a photo"), dir, 100);
      expect(await readFile(file.path, "utf8")).toBe("a photo");
      expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(dir)).toEqual([]);
  });

  it("takes along what is made of it beside it, as far as it was made", async () => {
    const dir = temporaryFolder();
    {
      await using file = await receiveFile(given("a photo"), dir, 100);
      await using other = await receiveFile(given("another"), dir, 100);
      expect(other.beside("small")).not.toBe(file.beside("small"));
      await writeFile(file.beside("small"), "small");
      expect(file.beside("never made")).toContain(dir);
      expect(await readdir(dir)).toHaveLength(3);
    }
    expect(await readdir(dir)).toEqual([]);
  });

  it("leaves nothing where it is too large, is empty, or does not come", async () => {
    const dir = temporaryFolder();
    await expect(receiveFile(given("too large"), dir, 3)).rejects.toMatchObject({ code: "media_too_large" });
    await expect(receiveFile(given(""), dir, 3)).rejects.toMatchObject({ code: "media_empty" });
    await expect(receiveFile(() => Promise.reject(new Error("gone")), dir, 3)).rejects.toThrow("gone");
    expect(await readdir(dir)).toEqual([]);
  });
});
