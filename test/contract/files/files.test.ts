import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openHeldFiles } from "../../../src/infrastructure/media/files/held-files.ts";
import type { MediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { temporaryFile } from "../../../src/infrastructure/media/files/temporary-file.ts";
import { holdsIn } from "../../../src/infrastructure/storage/holds.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { DRIVERS } from "./stores.ts";

const from = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const idOf = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

async function idsIn(files: MediaFiles): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, keptAt } of files.list()) if ((await keptAt()) !== undefined) ids.push(id);
  return ids.toSorted();
}

describe.each(DRIVERS)("files in $name", (driver) => {
  it("have the digest of what is in them as their name, and are read by any node, whole or in part", async () => {
    const [here, there] = await driver.open();
    const id = idOf("0123456789");
    expect(await (await here.room("media")).put(from("01234", "56789"), 10)).toEqual({ id, bytes: 10 });
    const files = await there.room("media");
    expect(await text(await files.open(id))).toBe("0123456789");
    expect(await text(await files.open(id, { start: 2, end: 4 }))).toBe("234");
    expect(await text(await files.open(id, { start: 9, end: 9 }))).toBe("9");
    expect(await files.stat(id)).toEqual({ bytes: 10 });
  });

  it("may be empty", async () => {
    const [here] = await driver.open();
    const files = await here.room("media");
    const { id } = await files.put(from(), 10);
    expect(await files.stat(id)).toEqual({ bytes: 0 });
    expect(await text(await files.open(id))).toBe("");
  });

  it("are kept once, however often they are put, also at the same time", async () => {
    const [here, there] = await driver.open();
    const files = [await here.room("media"), await there.room("media")];
    const puts = await Promise.all([...files, ...files].map((one) => one.put(from("same"), 100)));
    expect(new Set(puts.map(({ id }) => id)).size).toBe(1);
    for (const one of files) expect(await idsIn(one)).toEqual([idOf("same")]);
  });

  it("are apart in each room, and all of them listed, however many", async () => {
    const [here] = await driver.open();
    const [media, partners] = [await here.room("media"), await here.room("partners")];
    const many = Array.from({ length: 12 }, (_, nth) => `file ${nth}`);
    for (const one of many) await media.put(from(one), 100);
    await partners.put(from("theirs"), 100);
    expect(await idsIn(media)).toEqual(many.map(idOf).toSorted());
    expect(await idsIn(partners)).toEqual([idOf("theirs")]);
    await expect(media.stat(idOf("theirs"))).rejects.toMatchObject({ code: "media_gone" });
  });

  it("are cut off beyond their bound, and nothing is left of them", async () => {
    const [here] = await driver.open();
    const files = await here.room("media");
    await expect(files.put(from("12345", "6"), 5)).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: 5 },
    });
    await expect(files.put(from("12345"), 5, () => Promise.reject(new Error("not noted")))).rejects.toThrow(
      "not noted",
    );
    expect(await idsIn(files)).toEqual([]);
  });

  it("are taken from the disk as they are, and looked at by their path before", async () => {
    const [here, there] = await driver.open();
    await using made = await temporaryFile(join(temporaryFolder(), "made"), from("a film"));
    const seen: string[] = [];
    const look = async (id: string, path: string) => void seen.push(id, await readFile(path, "utf8"));
    await (await here.room("media")).adopt(made, 6, look);
    expect(seen).toEqual([made.digest, "a film"]);
    await (await here.room("media")).put(from("another"), 10, look);
    expect(seen.slice(2)).toEqual([idOf("another"), "another"]);
    expect(await text(await (await there.room("media")).open(made.digest))).toBe("a film");
    await using large = await temporaryFile(join(temporaryFolder(), "large"), from("a film"));
    await expect((await here.room("media")).adopt(large, 5)).rejects.toMatchObject({
      code: "media_too_large",
    });
  });

  it("are gone once they were erased, which may be done twice, unless somebody needs them", async () => {
    const [here, there] = await driver.open();
    const needed = new Set<string>();
    const files = await here.room("media", async (id) => needed.has(id));
    const { id } = await files.put(from("x"), 10);
    needed.add(id);
    await files.remove(id);
    expect(await files.stat(id)).toEqual({ bytes: 1 });
    needed.clear();
    await files.remove(id);
    await files.remove(id);
    for (const one of [files, await there.room("media")]) {
      await expect(one.open(id)).rejects.toMatchObject({ code: "media_gone" });
      await expect(one.stat(id)).rejects.toMatchObject({ code: "media_gone" });
    }
  });

  it.each(["../secret", "..", "", "A".repeat(64), `${"a".repeat(64)}/x`])("%j is no file", async (id) => {
    const [here] = await driver.open();
    const files = await here.room("media");
    await expect(files.open(id)).rejects.toMatchObject({ code: "media_gone" });
    await expect(files.stat(id)).rejects.toMatchObject({ code: "media_gone" });
    await expect(files.remove(id)).rejects.toMatchObject({ code: "media_gone" });
  });

  it("may be given up while they are read", async () => {
    const [here] = await driver.open();
    const files = await here.room("media");
    const content = Buffer.alloc(3 * 2 ** 20, "film");
    const { id } = await files.put(Readable.from([content]), content.length);
    const never = await files.open(id);
    never.destroy();
    for await (const chunk of await files.open(id)) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect((await buffer(await files.open(id))).equals(content)).toBe(true);
  });

  it("that are large come whole", async () => {
    const [here, there] = await driver.open();
    const content = Buffer.alloc(34 * 2 ** 20 + 5, "0123456789abcdef-");
    const path = join(temporaryFolder(), "large");
    await writeFile(path, content);
    const { id } = await (await here.room("media")).put(createReadStream(path), content.length);
    expect(id).toBe(idOf(content));
    const files = await there.room("media");
    expect(await files.stat(id)).toEqual({ bytes: content.length });
    expect((await buffer(await files.open(id))).equals(content)).toBe(true);
  });

  it("that are held go when nobody holds them, whichever node held them", async () => {
    const [here, there] = await driver.open();
    const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
    const rooms = [await here.room("partners"), await there.room("partners")];
    const [a, b] = rooms.map((room) => openHeldFiles(room, holdsIn(database)));
    const { id } = (await a?.put(from("same"), 100, { owner: "a" })) ?? { id: "" };
    await b?.put(from("same"), 100, { owner: "b" });
    await a?.release("a");
    await a?.sweep();
    expect(await text((await b?.open(id)) ?? from())).toBe("same");
    await b?.release("b");
    await expect(a?.stat(id)).rejects.toMatchObject({ code: "media_gone" });
    await database.close();
  });
});
