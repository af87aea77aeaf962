import { readdir, readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { post, replace } from "../../../adapters/telegram/post.ts";
import { deliveryOf, forgetResults } from "../../../adapters/telegram/results-memory.ts";
import { scratchOf } from "../../../adapters/telegram/scratch.ts";
import { clip, JOB, picture, result } from "../../support/results.ts";
import { stage } from "./results-stage.ts";

describe("a finished video", () => {
  it("plays in the chat, as an answer to the photo, with what it cost and what can be done", async () => {
    await using at = await stage();
    await post(at.office, at.address, result("video"));
    const shown = await at.ann.sees(({ media }) => media?.kind === "video");
    expect(shown).toMatchObject({
      replyTo: at.photo.id,
      media: { width: 320, height: 568, duration: 3, supportsStreaming: true },
      buttons: [["Again"], ["Delete"]],
    });
    expect(shown.text).toBe("Photo to video: done\ncost 2.7 tokens · 97.3 left · took 9 sec");
    expect(shown.media?.bytes).toEqual(await readFile(clip));
    const { width, height, format } = await sharp(shown.media?.thumbnail).metadata();
    expect({ format, longest: Math.max(width, height) }).toEqual({ format: "jpeg", longest: 320 });
    expect(at.telegram.calls("sendChatAction").map(({ params }) => params["action"])).toEqual([
      "upload_video",
    ]);
    expect(await readdir(scratchOf(at.office))).toEqual([]);
  });

  it("takes the place of its progress", async () => {
    await using at = await stage();
    const { job } = result("video");
    const receipt = await post(at.office, at.address, {
      kind: "progress",
      job,
      phase: "running",
      percent: 40,
    });
    await at.ann.sees("▰▰▰▰▱▱▱▱▱▱ 40 %");
    await replace(at.office, receipt, result("video"));
    expect(at.answers().map(({ media }) => media?.kind)).toEqual(["video"]);
  });

  it("is sent once, and pointed at when it is delivered again", async () => {
    await using at = await stage();
    await post(at.office, at.address, result("video"));
    await post(at.office, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
    expect((await at.ann.sees("Here it is")).replyTo).toBe(at.files()[0]?.id);
  });

  it("is sent again when the person has deleted it", async () => {
    await using at = await stage();
    await post(at.office, at.address, result("video"));
    const [first] = at.files();
    if (!first) throw new Error("Nothing came.");
    at.ann.deletes(first);
    await post(at.office, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("comes although the photo that it answers is gone", async () => {
    await using at = await stage();
    at.ann.deletes(at.photo);
    await post(at.office, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("for somebody who has blocked the bot is not tried in a loop", async () => {
    await using at = await stage();
    at.ann.blocks();
    await expect(post(at.office, at.address, result("video"))).rejects.toMatchObject({
      code: "undeliverable",
    });
  });
});

describe("a finished picture", () => {
  it("shows in the chat, with the original as a file below it", async () => {
    await using at = await stage();
    await post(at.office, at.address, result("image"));
    const [photo, original] = at.files();
    expect(photo).toMatchObject({
      media: { kind: "photo" },
      replyTo: at.photo.id,
      buttons: [["Again"], ["Delete"]],
    });
    expect(original).toMatchObject({ media: { kind: "document", fileName: "made.png" }, replyTo: photo?.id });
    expect(original?.media?.bytes).toEqual(await readFile(picture));
  });
});

describe("a result that is spoken of later", () => {
  const gone = { kind: "notice", text: { key: "job.deleted" } } as const;

  it("goes with all its files when its job is deleted", async () => {
    await using at = await stage();
    const receipt = await post(at.office, at.address, result("image"));
    await replace(at.office, receipt, gone);
    expect(at.answers().map(({ text, media }) => ({ text, media }))).toEqual([{ text: "Deleted." }]);
  });

  it("says so itself where it is too old to go", async () => {
    await using at = await stage();
    const receipt = await post(at.office, at.address, result("video"));
    at.telegram.passTime(49 * 3_600_000);
    expect(await replace(at.office, receipt, gone)).toEqual(receipt);
    expect(at.answers()).toMatchObject([{ text: "Deleted.", buttons: [], media: { kind: "video" } }]);
  });

  it("stays when something about it goes wrong", async () => {
    await using at = await stage();
    const receipt = await post(at.office, at.address, result("video"));
    const view = { kind: "problem", problem: { code: "result_gone", params: {} }, charged: 0 } as const;
    expect(await replace(at.office, receipt, view)).toEqual(receipt);
    expect(at.answers()).toMatchObject([
      { media: { kind: "video" }, buttons: [["Again"], ["Delete"]] },
      { text: expect.stringContaining("no longer keeps the file") },
    ]);
  });

  it("is forgotten with the person it was for, and with nobody else", async () => {
    await using at = await stage();
    await post(at.office, at.address, result("video"));
    await forgetResults(at.memory, "telegram:1");
    expect(await deliveryOf(at.memory, JOB)).toBeDefined();
    await forgetResults(at.memory, `telegram:${at.ann.user.id}`);
    expect(await deliveryOf(at.memory, JOB)).toBeUndefined();
  });
});
