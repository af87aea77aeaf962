import * as fc from "fast-check";
import { createHash } from "node:crypto";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { openHeldFiles } from "../../../../src/infrastructure/media/files/held-files.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { holdsIn } from "../../../../src/infrastructure/storage/holds.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { inProcess } from "../support/process.ts";

afterEach(() => vi.useRealTimers());

const script = new URL("../support/hold.ts", import.meta.url);
const from = (content: string) => Readable.from([Buffer.from(content)]);
const idOf = (content: string) => createHash("sha256").update(content).digest("hex");

async function harness() {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder, "reelay.db"));
  const dir = join(folder, "partners");
  return {
    folder,
    dir,
    files: openHeldFiles(await openMediaFiles(dir), holdsIn(database)),
    kept: () => readdir(dir),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("held files", () => {
  it("are kept once, until nobody needs them any more", async () => {
    await using at = await harness();
    const { id } = await at.files.put(from("same"), 100, { owner: "a" });
    await at.files.put(from("same"), 100, { owner: "b" });
    expect(await at.kept()).toEqual([idOf("same")]);
    await at.files.release("a");
    expect(await text(await at.files.open(id))).toBe("same");
    await at.files.release("b");
    expect(await at.kept()).toEqual([]);
    await at.files.release("b");
  });

  it("are all released with their owner, and with all owners of a group", async () => {
    await using at = await harness();
    const put = (content: string, owner: string) => at.files.put(from(content), 100, { owner });
    await put("1", "http:acme request 1");
    await put("2", "http:acme request 1");
    await put("3", "http:acme result 7");
    await put("4", "http:acme-2 request 1");
    await put("5", "http:acme");
    await at.files.release("http:acme request 1");
    expect((await at.kept()).sort()).toEqual(["3", "4", "5"].map(idOf).sort());
    await at.files.releaseAll("http:acme");
    expect((await at.kept()).sort()).toEqual(["4", "5"].map(idOf).sort());
  });

  it("are let go sooner where only one purpose is meant", async () => {
    await using at = await harness();
    const put = (content: string, owner: string, until: number) =>
      at.files.put(from(content), 100, { owner, until });
    await put("old", "http:acme result 1", 1_000);
    await put("new", "http:acme result 2", 2_000);
    await put("given", "http:acme input result", 1_000);
    await at.files.expire("result", 1_500);
    expect((await at.kept()).toSorted()).toEqual(["new", "given"].map(idOf).toSorted());
  });

  it("are erased when their time has come, but for what is held longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await using at = await harness();
    const now = Date.now();
    const put = (content: string, owner: string, ms?: number) =>
      at.files.put(from(content), 100, { owner, ...(ms !== undefined && { until: now + ms }) });
    await put("short", "a", 1_000);
    await put("long", "a", 2_000);
    await put("longer again", "a", 2_000);
    await put("longer again", "a", 1_000);
    await put("two", "a", 1_000);
    await put("two", "b");
    await put("for ever", "a");
    await put("for ever", "a", 1_000);
    vi.setSystemTime(now + 999);
    await at.files.sweep();
    expect(await at.kept()).toHaveLength(5);
    vi.setSystemTime(now + 1_000);
    await at.files.sweep();
    const left = ["long", "longer again", "two", "for ever"];
    expect((await at.kept()).sort()).toEqual(left.map(idOf).sort());
    vi.setSystemTime(now + 2_000);
    await at.files.sweep();
    expect((await at.kept()).sort()).toEqual(["two", "for ever"].map(idOf).sort());
  });

  it("are swept of what a crash left, but not of what may just be coming", async () => {
    await using at = await harness();
    const { id } = await at.files.put(from("held"), 100, { owner: "a" });
    const longAgo = new Date(Date.now() - 3_700_000);
    for (const name of [idOf("left"), idOf("coming")]) await writeFile(join(at.dir, name), "x");
    for (const name of [id, idOf("left")]) await utimes(join(at.dir, name), longAgo, longAgo);
    await at.files.sweep();
    expect((await at.kept()).sort()).toEqual([id, idOf("coming")].sort());
  });

  it("leave neither a file nor a hold behind when they are too large", async () => {
    await using at = await harness();
    await expect(at.files.put(from("too large"), 5, { owner: "a" })).rejects.toMatchObject({
      code: "media_too_large",
    });
    expect(await at.kept()).toEqual([]);
    // Nothing would be left to open.
    await at.files.put(from("too large"), 100, { owner: "b" });
    await at.files.release("b");
    expect(await at.kept()).toEqual([]);
  });

  it("are there for whoever holds them, however many come and go at the same time", async () => {
    const step = fc.record({
      owner: fc.constantFrom("a", "b"),
      content: fc.constantFrom("x", "y"),
      release: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }), async (runs) => {
        await using at = await harness();
        /** What each owner holds; those of one run are nobody else's. */
        const holding = new Map<string, Set<string>>();
        const runInOrder = async (steps: (typeof runs)[number], run: number) => {
          for (const { content, release, ...step } of steps) {
            const owner = `${run} ${step.owner}`;
            if (release) {
              holding.delete(owner);
              await at.files.release(owner);
            } else {
              const { id } = await at.files.put(from(content), 10, { owner });
              holding.set(owner, new Set(holding.get(owner)).add(id));
              // Throws where it is gone.
              await at.files.stat(id);
            }
          }
        };
        await Promise.all(runs.map(runInOrder));
        const held = [...holding.values()].reduce((all, ids) => all.union(ids), new Set());
        expect((await at.kept()).sort()).toEqual([...held].sort());
      }),
      { numRuns: 50 },
    );
  });

  it("are there for whoever holds them in several processes", async () => {
    await using at = await harness();
    const others = ["a", "b", "c"].map((owner) => inProcess(script, at.folder, owner, "60"));
    expect(await Promise.all(others)).toEqual(["0", "0", "0"]);
    expect(await at.kept()).toEqual([]);
  });
});
