import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { readArchive, writeArchive } from "../../../src/infrastructure/storage/archive.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** Larger than what is in memory at once. */
const LARGE = randomBytes(9_000_001);

async function anArchive() {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "in"));
  const files = { "a/large": LARGE, empty: Buffer.alloc(0), secret: Buffer.from("é\n") };
  const given = Object.entries(files).map(([name, bytes], n) => {
    const path = join(dir, "in", String(n));
    writeFileSync(path, bytes);
    return { name, path };
  });
  const path = join(dir, "archive");
  const size = await writeArchive(path, [...given, { name: "gone", path: join(dir, "in", "gone") }]);
  return { dir, path, files, size };
}

describe("an archive", () => {
  it("gives every file back as it was, to its owner alone, and leaves out what has gone", async () => {
    const { dir, path, files, size } = await anArchive();
    expect(size).toEqual({ files: 3, bytes: LARGE.length + 3 });
    expect(await readArchive(path, (name) => join(dir, "out", name))).toEqual(size);
    for (const [name, bytes] of Object.entries(files)) {
      expect(readFileSync(join(dir, "out", name)).equals(bytes)).toBe(true);
      expect(statSync(join(dir, "out", name)).mode & 0o077).toBe(0);
    }
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("is taken for none where one bit is another, its end is missing or a part is", async () => {
    const { dir, path } = await anArchive();
    const whole = readFileSync(path);
    // Whose it is, and two places in a file.
    for (const at of [68, 3_000_000, whole.length - 5_000_000]) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8((damaged[at] ?? 0) ^ 1, at);
      writeFileSync(join(dir, "damaged"), damaged);
      await expect(readArchive(join(dir, "damaged"))).rejects.toMatchObject({ name: "ArchiveDamaged" });
    }
    writeFileSync(join(dir, "short"), whole.subarray(0, whole.length / 2));
    await expect(readArchive(join(dir, "short"))).rejects.toMatchObject({ name: "ArchiveDamaged" });
    const sqlite = new DatabaseSync(path);
    sqlite.exec("delete from parts where number = 1");
    sqlite.close();
    await expect(readArchive(path)).rejects.toMatchObject({ name: "ArchiveDamaged" });
  });

  it.each([
    ["a text", Buffer.from("no database")],
    ["nothing", Buffer.alloc(0)],
  ])("is not %s, nor another database", async (_, bytes) => {
    const path = join(temporaryFolder(), "other");
    writeFileSync(path, bytes);
    await expect(readArchive(path)).rejects.toMatchObject({ name: "ArchiveDamaged" });
    const other = new DatabaseSync(`${path}.db`);
    other.exec("create table files (name)");
    other.close();
    await expect(readArchive(`${path}.db`)).rejects.toMatchObject({ name: "ArchiveDamaged" });
  });

  it("never takes the place of a file", async () => {
    const path = join(temporaryFolder(), "here");
    writeFileSync(path, "mine");
    await expect(writeArchive(path, [])).rejects.toMatchObject({ code: "EEXIST" });
    expect(existsSync(path) && readFileSync(path, "utf8")).toBe("mine");
  });
});
