import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openMedia } from "../../../../adapters/telegram/media/media.ts";
import { NoAnswer } from "../../../../adapters/telegram/api/errors.ts";
import { keepOwn } from "../../../../adapters/kit/files/own-files.ts";
import { noFile } from "../../../support/platform-answer.ts";
import { transport } from "../transport-harness.ts";

type Options = Parameters<typeof transport>[0];

/** Somebody who has sent a document. */
async function sent(options: Options = {}) {
  const harness = await transport(options);
  const bytes = Buffer.from("a picture, as it is");
  const ann = harness.telegram.person({ name: "Ann" });
  const { media } = ann.sendsDocument(bytes, { fileName: "picture.jpg" });
  const places = { api: harness.api, sender: harness.sender, files: harness.services.host.files };
  const open = (id = media?.fileId ?? "") => openMedia(places, { surface: "telegram", id });
  return { ...harness, bytes, ann, open, fileId: media?.fileId ?? "" };
}

describe("files that people sent", () => {
  it("open as they are, each time anew: links last an hour", async () => {
    await using harness = await sent();
    expect(await buffer(await harness.open())).toEqual(harness.bytes);
    harness.telegram.passTime(2 * 3_600_000);
    expect(await buffer(await harness.open())).toEqual(harness.bytes);
    expect(harness.telegram.calls("getFile")).toHaveLength(2);
  });

  it("open from the disk of a local server", async () => {
    await using harness = await sent({ local: true });
    expect(await buffer(await harness.open())).toEqual(harness.bytes);
  });

  it("open from the data folder when they were made here", async () => {
    await using harness = await sent();
    const { id } = await keepOwn(harness.services, `telegram:${harness.ann.user.id}`, Buffer.from("a mask"));
    expect(String(await buffer(await harness.open(id)))).toBe("a mask");
    expect(harness.telegram.calls("getFile")).toEqual([]);
  });

  it("are too large to be fetched above Telegram's limit, which is a sentence", async () => {
    await using harness = await sent({ limits: { downloadBytes: 10 } });
    await expect(harness.open()).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: 20 * 2 ** 20 },
    });
  });

  it("are gone when Telegram does not know them any more", async () => {
    await using harness = await sent();
    harness.telegram.expire(harness.fileId);
    await expect(harness.open()).rejects.toMatchObject({ code: "media_gone" });
    await expect(harness.open("no-such-file")).rejects.toMatchObject({ code: "media_gone" });
  });

  it.each([
    ["when asked where they are", { call: () => Promise.reject(new NoAnswer("fetch failed")) }, {}],
    ["when fetched", {}, { download: () => Promise.reject(new NoAnswer("fetch failed")) }],
    ["but an error of the file server", {}, { download: async () => noFile(502) }],
  ])("are not gone where there is no answer %s: that is a sentence, too", async (_, sender, api) => {
    const places = {
      sender: { call: async () => ({ file_path: "photos/1.jpg" }), ...sender },
      api,
      files: {},
    } as unknown as Parameters<typeof openMedia>[0];
    const patience = { forMs: 0, now: () => 0, pause: async () => {} };
    await expect(openMedia(places, { surface: "telegram", id: "a-file" }, patience)).rejects.toMatchObject({
      code: "media_unreached",
      retryable: true,
    });
  });

  it.each([
    ["an error of the file server", { kind: "status", status: 500 }],
    ["too many requests", { kind: "status", status: 429, retryAfter: 0 }],
    ["a broken connection", { kind: "reset" }],
    ["half of it", { kind: "cut" }],
  ] as const)("are fetched again after %s", async (_, trouble) => {
    await using harness = await sent();
    harness.telegram.filesFail(trouble, 2);
    expect(await buffer(await harness.open())).toEqual(harness.bytes);
  });

  it("are gone where the file server will not hand them out", async () => {
    await using harness = await sent();
    harness.telegram.filesFail({ kind: "status", status: 403 }, 3);
    await expect(harness.open()).rejects.toMatchObject({ code: "media_gone" });
  });

  it("are asked for again after trouble on the way", async () => {
    await using harness = await sent();
    harness.telegram.fails("getFile", { kind: "internal" });
    expect(await buffer(await harness.open())).toEqual(harness.bytes);
  });
});
