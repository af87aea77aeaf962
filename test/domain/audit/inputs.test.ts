import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { openInputs } from "../../../src/domain/audit/inputs.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PHOTO = Buffer.alloc(300_000, "a photo");
const DIGEST = createHash("sha256").update(PHOTO).digest("hex");

const photo = () =>
  Readable.from([PHOTO.subarray(0, 100_000), PHOTO.subarray(100_000)], { objectMode: false });

/** An audit with one accepted job, and the folder of its copies. */
async function opened(kept: "digest" | "words" | "all") {
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const audit = await Audit.open(database, kept);
  const dir = join(data, "audit");
  const inputs = openInputs(audit, await openMediaFiles(dir), kept === "all");
  const values = { prompt: "slow zoom", image: { surface: "web", id: "x" } } as const;
  await audit.write({ act: "allow", user: "web:me", surface: "web", operation: "video", job: "1", values });
  return {
    audit,
    inputs,
    copies: () => readdir(dir),
    line: async () => (await audit.read({ limit: 1 }))[0],
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("what people give", () => {
  it("is known by its digest once it was read, however often, and is nowhere kept", async () => {
    await using one = await opened("digest");
    for (const _ of [1, 2]) expect(await buffer(await one.inputs.watch("1", photo()))).toEqual(PHOTO);
    expect(await one.line()).toMatchObject({ files: [DIGEST], content: null });
    expect(await one.copies()).toEqual([]);
  });

  it("fails where the file fails", async () => {
    await using one = await opened("digest");
    const broken = new Readable({ read: () => void broken.destroy(new Error("gone")) });
    await expect(buffer(await one.inputs.watch("1", broken))).rejects.toThrow("gone");
    expect(await one.line()).toMatchObject({ files: [] });
  });

  it("is kept in words where the operator wants that", async () => {
    await using one = await opened("words");
    await buffer(await one.inputs.watch("1", photo()));
    expect(await one.line()).toMatchObject({ content: { prompt: "slow zoom" } });
    expect(await one.copies()).toEqual([]);
  });

  it("is kept with its files where they want that, until nothing in the audit names them", async () => {
    await using one = await opened("all");
    expect(await buffer(await one.inputs.watch("1", photo()))).toEqual(PHOTO);
    await one.inputs.sweep();
    expect(await one.copies()).toEqual([DIGEST]);
    await one.audit.forget("web:me");
    await one.inputs.sweep();
    expect(await one.copies()).toEqual([]);
    expect(await one.line()).toMatchObject({ user: null, digest: null, content: null, act: "allow" });
  });

  it("is kept no longer than since a time, where only newer names count", async () => {
    await using one = await opened("all");
    await buffer(await one.inputs.watch("1", photo()));
    await one.inputs.sweep(Date.now() - 60_000);
    expect(await one.copies()).toEqual([DIGEST]);
    await one.inputs.sweep(Date.now() + 1);
    expect(await one.copies()).toEqual([]);
    expect(await one.line()).toMatchObject({ files: [DIGEST] });
  });
});
