import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { TelegramAddress } from "../../../adapters/telegram/address.ts";
import { post, replace } from "../../../adapters/telegram/post.ts";
import { action } from "../../../src/chat/actions.ts";
import type { ResultView } from "../../../src/chat/views.ts";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";
import { PATIENT, transport } from "./transport-stage.ts";

let clip: string;
let picture: string;

beforeAll(async () => {
  clip = join(temporaryFolder(), "clip.mp4");
  const source = ["-f", "lavfi", "-i", "testsrc2=size=320x568:rate=24:duration=3"];
  const video = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-pix_fmt", "yuv420p"];
  execFileSync(testFfmpeg(), ["-loglevel", "error", ...source, ...video, clip]);
  picture = join(temporaryFolder(), "picture.png");
  await sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } }).toFile(picture);
});

const result = (kind: "video" | "image", id = "0mwprskck334cb5f05e"): ResultView => ({
  kind: "result",
  job: { id, operation: kind === "video" ? "video" : "image", values: {}, createdAt: 1 },
  media: [
    {
      kind,
      name: "made",
      open: async () => ({
        stream: createReadStream(kind === "video" ? clip : picture),
        type: kind === "video" ? "video/mp4" : "image/png",
      }),
    },
  ],
  cost: 2.7,
  balance: 97.3,
  tookMs: 9_000,
  actions: [action("again", id, "action.again", "primary"), action("delete", id, "action.delete", "danger")],
});

/** Ann has sent a photo; where she is answered. */
async function stage(limits: Parameters<typeof transport>[0] = {}) {
  const carried = await transport(limits);
  const ann = carried.telegram.person({ name: "Ann", language_code: "en" });
  const photo = await ann.sendsPhoto(await readFile(picture));
  const address: TelegramAddress = { chat: photo.chatId, replyTo: photo.id, locale: "en" };
  const files = () => ann.chat().filter(({ from, media }) => from === "bot" && media !== undefined);
  return { ...carried, ann, photo, address, files };
}

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
    expect(
      at.ann
        .chat()
        .filter(({ from }) => from === "bot")
        .map(({ media }) => media?.kind),
    ).toEqual(["video"]);
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

  it("that is too large is made smaller, and says so", async () => {
    const { length } = await readFile(clip);
    await using at = await stage({ limits: { ...PATIENT, uploadBytes: length - 1 } });
    await post(at.office, at.address, result("video"));
    const shown = await at.ann.sees(({ media }) => media?.kind === "video");
    expect(shown.media?.size).toBeLessThan(length);
    expect(shown.text).toContain("Made smaller");
  });

  it("that no form of can be sent is kept, and the person is told where", async () => {
    await using at = await stage({ limits: { ...PATIENT, uploadBytes: 2_000 } });
    await expect(post(at.office, at.address, result("video"))).rejects.toMatchObject({
      code: "undeliverable",
    });
    expect((await at.ann.sees("Telegram does not take it")).text).toContain("/jobs");
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
