import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { expireFiles, forgetFiles, noteFile } from "../../../src/seam/surface/kept-files.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000 }));
afterEach(() => void vi.useRealTimers());

const nothing = async () => new Set<string>();

/** Files of people, each noted at the fake's time. */
async function harness() {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder, "reelay.db"));
  const files = await openMediaFiles(join(folder, "media"));
  const kept = memory(database, "telegram");
  return {
    files,
    kept,
    async keeps(owner: "telegram:1" | "telegram:2", content: string) {
      const { id } = await files.put(Readable.from([Buffer.from(content)]), 1_000);
      await noteFile(kept, owner, id);
      return id;
    },
    isThere: (id: string) =>
      files.stat(id).then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("files that are kept for people", () => {
  it("go with their owner, but those that are somebody else's as well", async () => {
    await using at = await harness();
    const own = await at.keeps("telegram:1", "own");
    const shared = await at.keeps("telegram:1", "shared");
    await at.keeps("telegram:2", "shared");
    await forgetFiles(at.kept, at.files, "telegram:1");
    expect([await at.isThere(own), await at.isThere(shared)]).toEqual([false, true]);
    await forgetFiles(at.kept, at.files, "telegram:2");
    expect(await at.isThere(shared)).toBe(false);
  });

  it("are forgotten by what erases them, which may be cut off before", async () => {
    await using at = await harness();
    const id = await at.keeps("telegram:1", "own");
    const cutOff = { ...at.files, remove: () => Promise.reject(new Error("killed")) };
    await expect(forgetFiles(at.kept, cutOff, "telegram:1")).rejects.toThrow("killed");
    await forgetFiles(at.kept, at.files, "telegram:1");
    expect(await at.isThere(id)).toBe(false);
  });

  it("go when they are old and nobody needs them", async () => {
    await using at = await harness();
    const old = await at.keeps("telegram:1", "old");
    const needed = await at.keeps("telegram:1", "needed");
    const others = await at.keeps("telegram:1", "others");
    vi.setSystemTime(2_000);
    await at.keeps("telegram:2", "others");
    const recent = await at.keeps("telegram:1", "recent");
    const asked: string[] = [];
    await expireFiles(at.kept, at.files, 2_000, async (owner) => {
      asked.push(owner);
      return new Set([needed]);
    });
    expect(await Promise.all([old, needed, others, recent].map(at.isThere))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    // Whoever has nothing old is not asked about.
    expect(asked).toEqual(["telegram:1"]);
    await expireFiles(at.kept, at.files, 3_000, nothing);
    expect(await Promise.all([needed, others, recent].map(at.isThere))).toEqual([false, false, false]);
  });
});
