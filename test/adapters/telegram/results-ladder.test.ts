import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Services } from "../../../adapters/telegram/context/context.ts";
import { NoAnswer } from "../../../adapters/telegram/api/errors.ts";
import { TELEGRAM } from "../../../adapters/telegram/api/limits.ts";
import { post } from "../../../adapters/telegram/messages/post.ts";
import { LINKS_PATH } from "../../../src/infrastructure/media/files/links.ts";
import { clip, drawn, largeClip, picture, result } from "../../support/results.ts";
import { refusing, replace, harness } from "./results-harness.ts";
import { PATIENT } from "./transport-harness.ts";

/** The same services, where people can reach our server. */
function reachable(services: Services): Services {
  const { host } = services;
  return { ...services, host: { ...host, config: { ...host.config, publicUrl: "https://reelay.example" } } };
}

describe("a video that Telegram refuses to play", () => {
  it("comes as a file, as it is", async () => {
    await using at = await harness();
    const services = refusing(at.services, ["sendVideo"], "Bad Request: VIDEO_CONTENT_TYPE_INVALID");
    await post(services, at.address, result("video"));
    expect(at.files()).toMatchObject([
      {
        replyTo: at.photo.id,
        buttons: [["Again"], ["Delete"]],
        media: { kind: "document", fileName: "made.mp4" },
      },
    ]);
    expect(at.files()[0]?.media?.bytes).toEqual(await readFile(clip));
  });

  it("comes as a file in the place of its progress, too", async () => {
    await using at = await harness();
    const { job } = result("video");
    const progress = await post(at.services, at.address, { kind: "progress", job, phase: "sending" });
    const words = "Bad Request: VIDEO_CONTENT_TYPE_INVALID";
    await replace(refusing(at.services, ["editMessageMedia"], words, 1), progress, result("video"));
    expect(at.answers()).toMatchObject([
      {
        id: progress.message,
        media: { kind: "document", fileName: "made.mp4" },
        buttons: [["Again"], ["Delete"]],
      },
    ]);
  });

  it("comes to a group that lets nobody send videos as a link", async () => {
    await using at = await harness();
    const words = "Bad Request: not enough rights to send videos to the chat";
    const services = refusing(reachable(at.services), ["sendVideo", "sendDocument"], words);
    const receipt = await post(services, at.address, result("video"));
    expect(receipt).toMatchObject({ form: "text" });
    expect(at.answers()).toHaveLength(1);
  });
});

describe("a video that is larger than Telegram takes", () => {
  it("is made smaller, and says so", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video", await largeClip(TELEGRAM.upload)));
    const [shown] = at.files();
    expect(shown).toMatchObject({ media: { kind: "video", width: 320, height: 568, duration: 3 } });
    expect(shown?.media?.size).toBeLessThan(TELEGRAM.upload);
    expect(shown?.text).toContain("Made smaller");
    expect(shown?.text).toMatch(/\nThe original is [\d.]+ MB\.$/);
    // Its size is known to be the trouble: it is not tried again as a document.
    expect(at.telegram.calls("sendDocument")).toEqual([]);
  });

  it("has the original beside it where people reach our server, until it is taken back", async () => {
    await using at = await harness();
    const services = reachable(at.services);
    const path = await largeClip(TELEGRAM.upload);
    const receipt = await post(services, at.address, result("video", path));
    const [shown] = at.files();
    expect(shown?.text).toMatch(/\nDownload the original \([\d.]+ MB\) here; the link works for a week\.$/);
    const entities = shown?.message.caption_entities;
    const { pathname } = new URL(entities?.find(({ type }) => type === "text_link")?.url ?? "");
    const open = () => services.host.links.routes.request(pathname.slice(LINKS_PATH.length));
    expect(Buffer.from(await (await open()).arrayBuffer()).equals(await readFile(path))).toBe(true);
    await replace(services, receipt, { kind: "notice", text: { key: "job.deleted" } });
    expect((await open()).status).toBe(404);
  });

  it("is made smaller where even less than usual is taken", async () => {
    const { length } = await readFile(clip);
    await using at = await harness({ limits: { ...PATIENT, uploadBytes: length - 1 } });
    await post(at.services, at.address, result("video"));
    expect(at.files()).toMatchObject([{ media: { kind: "video" } }]);
    expect(at.files()[0]?.media?.size).toBeLessThan(length);
  });

  it("and cannot be made smaller comes as a link to our own server, which expires", async () => {
    await using at = await harness({ limits: { ...PATIENT, uploadBytes: 2_000 } });
    const services = reachable(at.services);
    const { job } = result("video");
    const progress = await post(services, at.address, { kind: "progress", job, phase: "sending" });
    const receipt = await replace(services, progress, result("video"));
    const [shown] = at.answers();
    expect(at.answers()).toHaveLength(1);
    expect(shown).toMatchObject({
      id: receipt.message,
      replyTo: at.photo.id,
      buttons: [["Again"], ["Delete"]],
    });
    expect(shown?.text).toContain("Download it here");
    const url = new URL(shown?.message.entities?.find(({ type }) => type === "text_link")?.url ?? "");
    expect(url.origin).toBe("https://reelay.example");
    const answer = await services.host.links.routes.request(url.pathname.slice(LINKS_PATH.length));
    expect(answer.headers.get("content-disposition")).toContain("made.mp4");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(clip));
    // Asked for again, it is pointed at like every other result.
    expect(await replace(services, receipt, result("video"))).toEqual(receipt);
    // Taken back, it cannot be had by its address either.
    await replace(services, receipt, { kind: "notice", text: { key: "job.deleted" } });
    expect((await at.ann.sees("Deleted.")).id).toBe(receipt.message);
    const later = await services.host.links.routes.request(url.pathname.slice(LINKS_PATH.length));
    expect(later.status).toBe(404);
  });

  it("and can be sent in no form waits among the jobs; the person is told so, and nothing is on its way", async () => {
    await using at = await harness({ limits: { ...PATIENT, uploadBytes: 2_000 } });
    const { job } = result("video");
    const progress = await post(at.services, at.address, { kind: "progress", job, phase: "sending" });
    const sending = replace(at.services, progress, result("video"));
    await expect(sending).rejects.toMatchObject({ code: "undeliverable" });
    expect(at.answers()).toMatchObject([
      { text: expect.stringContaining("/jobs"), buttons: [["Show again"]] },
    ]);
  });
});

describe("a picture that is no photo for Telegram", () => {
  it.each([
    ["has too many bytes", 2_000, 2_000, true],
    ["has too long sides", 9_000, 1_500, false],
  ])("because it %s shows smaller, with the original below", async (_why, width, height, noise) => {
    const path = await drawn(width, height, noise);
    await using at = await harness();
    await post(at.services, at.address, result("image", path));
    const [photo, original] = at.files();
    expect(at.files().map(({ media }) => media?.kind)).toEqual(["photo", "document"]);
    expect(photo?.media?.size).toBeLessThanOrEqual(TELEGRAM.photo);
    expect(original?.media?.bytes).toEqual(await readFile(path));
    expect(at.telegram.calls().filter(({ error }) => error)).toEqual([]);
  });

  it("and whose original Telegram does not take says so, and where that is", async () => {
    const path = await drawn(2_000, 2_000, true);
    await using at = await harness();
    const words = "Request Entity Too Large";
    const services = refusing(at.services, ["sendDocument"], words);
    await post(services, at.address, result("image", path));
    const [photo, note] = at.answers();
    expect(photo).toMatchObject({ media: { kind: "photo" } });
    expect(note).toMatchObject({ replyTo: photo?.id });
    expect(note?.text).toMatch(/^Made smaller, .+\nThe original is [\d.]+ MB\.$/);
    expect(at.answers()).toHaveLength(2);
  });

  it("because it is too long for its width comes as a file", async () => {
    const path = await drawn(2_100, 100, false);
    await using at = await harness();
    await post(at.services, at.address, result("image", path));
    expect(at.files()).toMatchObject([{ buttons: [["Again"], ["Delete"]], media: { kind: "document" } }]);
    expect(at.telegram.calls().filter(({ error }) => error)).toEqual([]);
  });

  it("because Telegram says so comes as a file", async () => {
    await using at = await harness();
    const services = refusing(at.services, ["sendPhoto"], "Bad Request: IMAGE_PROCESS_FAILED");
    await post(services, at.address, result("image"));
    expect(at.files()).toMatchObject([{ buttons: [["Again"], ["Delete"]], media: { kind: "document" } }]);
  });
});

describe("a delivery that breaks off", () => {
  it("before Telegram had the file is made again, and shows it once", async () => {
    await using at = await harness();
    at.telegram.fails("sendVideo", { kind: "reset before" });
    await expect(post(at.services, at.address, result("video"))).rejects.toBeInstanceOf(NoAnswer);
    expect(at.files()).toEqual([]);
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("after Telegram had it, unheard, shows it twice rather than never, and tells the operator", async () => {
    await using at = await harness();
    at.telegram.fails("sendVideo", { kind: "reset after" });
    await expect(post(at.services, at.address, result("video"))).rejects.toBeInstanceOf(NoAnswer);
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(2);
    expect(at.lines.join("")).toContain("may be shown twice");
  });

  it("between a picture and its original goes on with the original", async () => {
    await using at = await harness();
    at.telegram.fails("sendDocument", { kind: "reset before" });
    await expect(post(at.services, at.address, result("image"))).rejects.toBeInstanceOf(NoAnswer);
    const receipt = await post(at.services, at.address, result("image"));
    const [photo, original] = at.files();
    expect(at.files().map(({ media }) => media?.kind)).toEqual(["photo", "document"]);
    expect(receipt).toMatchObject({ message: photo?.id, others: [original?.id] });
    expect(original?.media?.bytes).toEqual(await readFile(picture));
    await post(at.services, at.address, result("image"));
    expect(at.files()).toHaveLength(2);
  });

  it("when Reelay stops leaves nothing half, and no file behind", async () => {
    await using at = await harness();
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(post(at.services, at.address, result("video"), stop)).rejects.toThrow("aborted");
    expect(at.answers()).toEqual([]);
    expect(await readdir(at.services.host.scratch)).toEqual([]);
  });
});
