import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { erasedLater } from "../../../../src/infrastructure/media/files/erased-later.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { testDatabase } from "../../../support/database.ts";
import { openHeldFiles } from "../../../../src/infrastructure/media/files/held-files.ts";
import { readBucketAddress } from "../../../../src/infrastructure/media/bucket/place.ts";
import { openedAt, testS3 } from "../../../contract/files/stores.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { BUCKET, type KEYS } from "../../../support/s3/store.ts";

const from = (content: string | Buffer) => Readable.from([Buffer.from(content)]);
const MEBIBYTE = 2 ** 20;

async function opened() {
  const store = await testS3();
  const scratch = temporaryFolder();
  const files = await (await openedAt(store, scratch)).room("media");
  return { store, scratch, files };
}

describe("a bucket", () => {
  it("is left alone by what does not open it, and says why", async () => {
    const store = await testS3();
    const open = (keys: Partial<typeof KEYS>) => openedAt(store, undefined, keys);
    await expect(open({ secretAccessKey: "x".repeat(40) })).rejects.toThrow(
      /REELAY_FILES: found s3:\/\/reelay-files\/some\/prefix\/ at http.*, wanted a bucket that AWS_ACCESS_KEY_ID opens/,
    );
    await expect(open({ accessKeyId: "AKIANOBODY" })).rejects.toThrow("does not open");
    await expect(open({ region: "eu-other-1" })).rejects.toThrow("does not open");
    const wrong = await open({ secretAccessKey: "x".repeat(40) }).catch(String);
    expect(wrong).not.toContain("x".repeat(40));
    expect(store.log.length).toBeGreaterThan(0);
  });

  it("keeps everything below its prefix, for each purpose apart", async () => {
    const { files, store } = await opened();
    const { id } = await files.put(from("a photo"), 100);
    expect([...store.objects.kept.keys()]).toEqual([`some/prefix/media/${id}`]);
  });

  it("is asked again where it is too busy, and where its answer was lost", async () => {
    const { files, store, scratch } = await opened();
    store.trouble("PUT", "slow-down", "cut-upload", "lost-answer");
    const { id } = await files.put(from("a photo"), 100);
    store.trouble("HEAD", "slow-down");
    expect(await files.stat(id)).toEqual({ bytes: 7 });
    store.trouble("GET", "slow-down", "lost-answer");
    expect(await text(await files.open(id))).toBe("a photo");
    store.trouble("DELETE", "lost-answer");
    await files.remove(id);
    expect(store.untroubled).toBe(true);
    expect(await readdir(scratch)).toEqual([]);
  });

  it("is given up on after some tries: nothing is kept then", async () => {
    const { files, store, scratch } = await opened();
    store.trouble("PUT", "slow-down", "slow-down", "slow-down", "slow-down");
    await expect(files.put(from("a photo"), 100)).rejects.toMatchObject({
      code: "storage_down",
      params: { reason: "the store of files says SlowDown (503)" },
    });
    expect(store.objects.kept.size).toBe(0);
    expect(await readdir(scratch)).toEqual([]);
  });

  it("is not taken for one without a file where it is gone itself", async () => {
    const { files, store } = await opened();
    const { id } = await files.put(from("a photo"), 100);
    await store[Symbol.asyncDispose]().catch(() => {});
    await expect(files.stat(id)).rejects.toMatchObject({ code: "storage_down" });
    await expect(files.open(id)).rejects.toMatchObject({ code: "storage_down" });
  });

  it("gives a film whole whose download broke off, again and again", async () => {
    const { files, store } = await opened();
    const film = Buffer.alloc(3 * MEBIBYTE, "a film ");
    const { id } = await files.put(from(film), film.length);
    store.trouble("GET", "cut-download", "cut-download", "cut-download", "cut-download", "cut-download");
    expect((await buffer(await files.open(id))).equals(film)).toBe(true);
    expect(store.untroubled).toBe(true);
    store.trouble("GET", "cut-download");
    expect(await buffer(await files.open(id, { start: 5, end: MEBIBYTE }))).toEqual(
      film.subarray(5, MEBIBYTE + 1),
    );
  });

  it("breaks a download off that it never goes on with", async () => {
    const { files, store } = await opened();
    const { id } = await files.put(from("a film"), 100);
    store.trouble("GET", "cut-download", ...Array.from({ length: 4 }, () => "slow-down" as const));
    await expect(buffer(await files.open(id))).rejects.toMatchObject({ code: "storage_down" });
  });

  it("gets what is large in parts, of which a lost one is sent anew alone", async () => {
    const { files, store } = await opened();
    const film = Buffer.alloc(40 * MEBIBYTE, "a film ");
    store.trouble("PUT", "slow-down", "lost-answer");
    const { id } = await files.put(from(film), film.length);
    const parts = store.log.filter((line) => line.startsWith("PUT"));
    expect(parts.map((line) => /partNumber=(\d)/.exec(line)?.[1])).toEqual(["1", "1", "1", "2", "3"]);
    expect((await buffer(await files.open(id))).equals(film)).toBe(true);
    expect(store.objects.uploads.size).toBe(0);
  });

  it("has a large file also where the answer to the joining of its parts was lost", async () => {
    const { files, store } = await opened();
    const film = Buffer.alloc(40 * MEBIBYTE, "another film ");
    // The first of its kind begins the parts.
    const putting = files.put(from(film), film.length, async () => {
      store.trouble("COMPLETE", "lost-answer");
    });
    const { id } = await putting;
    expect(store.untroubled).toBe(true);
    expect(await files.stat(id)).toEqual({ bytes: film.length });
  });

  it("has no large file where joining its parts failed in an answer that began as a success", async () => {
    const { files, store } = await opened();
    const film = Buffer.alloc(40 * MEBIBYTE, "no film ");
    store.trouble("COMPLETE", ...Array.from({ length: 4 }, () => "failure-in-200" as const));
    await expect(files.put(from(film), film.length)).rejects.toMatchObject({ code: "storage_down" });
    expect(store.objects.uploads.size + store.objects.kept.size).toBe(0);
  });

  it("loses the parts that a killed process has left there, a day later", async () => {
    const { store } = await opened();
    store.objects.begin("some/prefix/media/left", Date.now() - 25 * 3_600_000);
    store.objects.begin("some/prefix/media/going-on", Date.now() - 3_600_000);
    store.objects.begin("somebody/else", 0);
    await (await openedAt(store)).room("media");
    expect([...store.objects.uploads.values()].map(({ key }) => key)).toEqual([
      "some/prefix/media/going-on",
      "somebody/else",
    ]);
  });

  it("whose clock is another is signed for by its own", async () => {
    const store = await testS3({ aheadMs: 3_600_000 });
    const files = await (await openedAt(store)).room("media");
    const { id } = await files.put(from("a photo"), 100);
    expect(await text(await files.open(id))).toBe("a photo");
  });

  it("that is down keeps nobody from ending a hold: the file goes with the next sweep", async () => {
    const { files, store } = await opened();
    const erased: string[] = [];
    const held = openHeldFiles(files, {
      release: async (_, erase) => erase(id).then(() => void erased.push(id)),
    } as Parameters<typeof openHeldFiles>[1]);
    const { id } = await files.put(from("a photo"), 100);
    store.trouble("DELETE", "slow-down", "slow-down", "slow-down", "slow-down");
    await held.release("somebody");
    expect(erased).toEqual([id]);
    expect(store.objects.kept.size).toBe(1);
  });
});

it("what cannot be erased now is erased later, unless somebody needs it by then", async () => {
  const store = await testS3();
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const needed = new Set<string>();
  const room = await (await openedAt(store)).room("media", async (id) => needed.has(id));
  const files = erasedLater(room, memory(database, "to-erase"));
  const [a, b] = [await files.put(from("a"), 1), await files.put(from("b"), 1)];
  store.trouble("DELETE", ...Array.from({ length: 12 }, () => "slow-down" as const));
  await files.remove(a.id);
  await files.remove(b.id);
  needed.add(b.id);
  await expect(files.sweep()).rejects.toMatchObject({ code: "storage_down" });
  await files.sweep();
  await files.sweep();
  expect([...store.objects.kept.keys()]).toEqual([`some/prefix/media/${b.id}`]);
  needed.clear();
  await files.sweep();
  // Whoever needed it erases it themselves.
  expect(store.objects.kept.size).toBe(1);
  await database.close();
});

describe("an address of a bucket", () => {
  it("says where it is", () => {
    expect(readBucketAddress(`s3://${BUCKET}`)).toEqual({
      bucket: BUCKET,
      prefix: "",
      region: "us-east-1",
      endpoint: undefined,
    });
    expect(readBucketAddress("s3://b-1/a/b/?endpoint=http://minio:9000/&region=eu-central-1")).toEqual({
      bucket: "b-1",
      prefix: "a/b/",
      region: "eu-central-1",
      endpoint: "http://minio:9000",
    });
  });

  it.each([
    "s3://",
    "s3://UPPER_case",
    "s3://key:secret@bucket",
    "s3://bucket?endpoint=minio:9000",
    "s3://bucket?endpoint=https://key:secret@store",
    "s3://bucket?secret=x",
    "s3://bucket/a//b",
    "https://bucket",
    "bucket",
  ])("is none: %s", (text) => {
    expect(readBucketAddress(text)).toBeUndefined();
  });
});
