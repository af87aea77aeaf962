import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openMedia } from "../../../../adapters/telegram/media/media.ts";
import { NoAnswer } from "../../../../adapters/telegram/api/errors.ts";
import { keepOwn } from "../../../../adapters/kit/files/own-files.ts";
import { transport } from "../transport-stage.ts";

type Options = Parameters<typeof transport>[0];

/** Somebody who has sent a document. */
async function sent(options: Options = {}) {
  const stage = await transport(options);
  const bytes = Buffer.from("a picture, as it is");
  const ann = stage.telegram.person({ name: "Ann" });
  const { media } = ann.sendsDocument(bytes, { fileName: "picture.jpg" });
  const places = { api: stage.api, sender: stage.sender, files: stage.services.host.files };
  const open = (id = media?.fileId ?? "") => openMedia(places, { surface: "telegram", id });
  return { ...stage, bytes, ann, open, fileId: media?.fileId ?? "" };
}

describe("files that people sent", () => {
  it("open as they are, each time anew: links last an hour", async () => {
    await using stage = await sent();
    expect(await buffer(await stage.open())).toEqual(stage.bytes);
    stage.telegram.passTime(2 * 3_600_000);
    expect(await buffer(await stage.open())).toEqual(stage.bytes);
    expect(stage.telegram.calls("getFile")).toHaveLength(2);
  });

  it("open from the disk of a local server", async () => {
    await using stage = await sent({ local: true });
    expect(await buffer(await stage.open())).toEqual(stage.bytes);
  });

  it("open from the data folder when they were made here", async () => {
    await using stage = await sent();
    const { id } = await keepOwn(stage.services, `telegram:${stage.ann.user.id}`, Buffer.from("a mask"));
    expect(String(await buffer(await stage.open(id)))).toBe("a mask");
    expect(stage.telegram.calls("getFile")).toEqual([]);
  });

  it("are too large to be fetched above Telegram's limit, which is a sentence", async () => {
    await using stage = await sent({ limits: { downloadBytes: 10 } });
    await expect(stage.open()).rejects.toMatchObject({
      code: "media_too_large",
      params: { max: 20 * 2 ** 20 },
    });
  });

  it("are gone when Telegram does not know them any more", async () => {
    await using stage = await sent();
    stage.telegram.expire(stage.fileId);
    await expect(stage.open()).rejects.toMatchObject({ code: "media_gone" });
    await expect(stage.open("no-such-file")).rejects.toMatchObject({ code: "media_gone" });
  });

  it.each([
    ["when asked where they are", { call: () => Promise.reject(new NoAnswer("fetch failed")) }, {}],
    ["when fetched", {}, { download: () => Promise.reject(new NoAnswer("fetch failed")) }],
    ["but an error of the file server", {}, { download: async () => new Response(null, { status: 502 }) }],
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
    await using stage = await sent();
    stage.telegram.filesFail(trouble, 2);
    expect(await buffer(await stage.open())).toEqual(stage.bytes);
  });

  it("are gone where the file server will not hand them out", async () => {
    await using stage = await sent();
    stage.telegram.filesFail({ kind: "status", status: 403 }, 3);
    await expect(stage.open()).rejects.toMatchObject({ code: "media_gone" });
  });

  it("are asked for again after trouble on the way", async () => {
    await using stage = await sent();
    stage.telegram.fails("getFile", { kind: "internal" });
    expect(await buffer(await stage.open())).toEqual(stage.bytes);
  });
});
