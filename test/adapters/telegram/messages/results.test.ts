import { readdir, readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { NoAnswer } from "../../../../adapters/telegram/api/errors.ts";
import { post } from "../../../../adapters/telegram/messages/post.ts";
import { deliveriesIn } from "../../../../adapters/telegram/messages/results-memory.ts";
import { action } from "../../../../src/seam/text/actions.ts";
import { clip, JOB, picture, result } from "../../../support/results.ts";
import type { SeenMessage } from "../../../support/telegram/seen.ts";
import { harness, refusing, replace, unheard } from "../results-harness.ts";
import { PATIENT } from "../transport-harness.ts";

const running = { kind: "progress", job: result("video").job, phase: "running" } as const;
const covered = (kind: "video" | "image") => ({ ...result(kind), spoiler: true });

/** Whether a message shows nothing but a grey square. */
async function expectCover(shown: SeenMessage | undefined): Promise<void> {
  expect(shown?.media?.kind).toBe("photo");
  const { channels } = await sharp(shown?.media?.bytes).stats();
  expect(channels.map(({ mean, stdev }) => [Math.round(mean), Math.round(stdev)])).toEqual([
    [128, 0],
    [128, 0],
    [128, 0],
  ]);
}

describe("a finished video", () => {
  it("plays in the chat, as an answer to the photo, with what it cost and what can be done", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    const shown = await at.ann.sees(({ media }) => media?.kind === "video");
    expect(shown).toMatchObject({
      replyTo: at.photo.id,
      media: { width: 320, height: 568, duration: 3, supportsStreaming: true },
      buttons: [["Again"], ["Delete"]],
    });
    expect(shown.text).toBe("Photo to video: done\n2.7 tokens · 97.3 left · took 9 sec");
    expect(shown.media?.bytes).toEqual(await readFile(clip));
    const { width, height, format } = await sharp(shown.media?.thumbnail).metadata();
    expect({ format, longest: Math.max(width, height) }).toEqual({ format: "jpeg", longest: 320 });
    // As often as the machine's haste takes: it is shown again every few seconds.
    const actions = at.telegram.calls("sendChatAction").map(({ params }) => params["action"]);
    expect(new Set(actions)).toEqual(new Set(["upload_video"]));
    expect(await readdir(at.services.host.scratch)).toEqual([]);
  });

  it("takes the place of its progress, in the same message", async () => {
    await using at = await harness();
    const { job } = result("video");
    const receipt = await post(at.services, at.address, {
      kind: "progress",
      job,
      phase: "running",
      percent: 40,
    });
    await at.ann.sees("▰▰▰▰▱▱▱▱▱▱ 40 %");
    const posted = await replace(at.services, receipt, result("video"));
    expect(posted).toMatchObject({ message: receipt.message, form: "media", job: JOB });
    expect(at.answers()).toHaveLength(1);
    const [shown] = at.answers();
    expect(shown).toMatchObject({
      id: receipt.message,
      replyTo: at.photo.id,
      media: { kind: "video", width: 320, height: 568, duration: 3, supportsStreaming: true },
      buttons: [["Again"], ["Delete"]],
    });
    expect(shown?.text).toBe("Photo to video: done\n2.7 tokens · 97.3 left · took 9 sec");
    expect(shown?.media?.bytes).toEqual(await readFile(clip));
    expect((await sharp(shown?.media?.thumbnail).metadata()).format).toBe("jpeg");
  });

  it("does so covered, where it is to be", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    await replace(at.services, receipt, covered("video"));
    expect(at.answers()).toMatchObject([{ id: receipt.message, media: { kind: "video", covered: true } }]);
  });

  it("is posted anew where its progress is gone, or cannot become a file", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const [progress] = at.answers();
    if (!progress) throw new Error("Nothing came.");
    at.ann.deletes(progress);
    await replace(at.services, receipt, result("video"));
    expect(at.answers()).toMatchObject([{ media: { kind: "video" }, replyTo: at.photo.id }]);
    await using other = await harness();
    const before = await post(other.services, other.address, running);
    // As a Bot API server may say that does not know how.
    const words = "Bad Request: there is no media in the message to edit";
    await replace(refusing(other.services, ["editMessageMedia"], words), before, result("video"));
    expect(other.answers()).toMatchObject([{ media: { kind: "video" }, replyTo: other.photo.id }]);
  });

  it("is posted anew where it comes late: what is changed far above is seen by nobody", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    at.ann.blocks();
    await expect(replace(at.services, receipt, result("video"))).rejects.toMatchObject({
      code: "undeliverable",
    });
    at.ann.unblocks();
    const late = await replace(at.services, receipt, result("video"));
    expect(late.message).toBeGreaterThan(receipt.message);
    expect(at.answers().map(({ media }) => media?.kind)).toEqual(["video"]);
  });

  it("is shown once where Telegram's answer was lost", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    at.telegram.fails("editMessageMedia", { kind: "reset after" });
    await replace(at.services, receipt, result("video"));
    expect(at.answers()).toMatchObject([{ id: receipt.message, media: { kind: "video" } }]);
    expect(at.telegram.calls("editMessageMedia")).toHaveLength(2);
  });

  it("is shown once by a process that was killed before the answer came, and by the next", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const killed = unheard(at.services, "editMessageMedia");
    await expect(replace(killed, receipt, result("video"))).rejects.toBeInstanceOf(NoAnswer);
    expect(at.answers()).toMatchObject([{ id: receipt.message, media: { kind: "video" } }]);
    await replace(at.services, receipt, result("video"));
    expect(at.answers()).toMatchObject([{ id: receipt.message, media: { kind: "video" } }]);
    expect(at.telegram.calls("sendVideo")).toEqual([]);
    // Nor is it pointed at where its receipt was not written down.
    expect(await replace(at.services, receipt, result("video"))).toMatchObject({ message: receipt.message });
    expect(at.answers()).toHaveLength(1);
  });

  it("goes although nobody knows that it is in the place of its progress", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const killed = unheard(at.services, "editMessageMedia");
    await expect(replace(killed, receipt, result("video"))).rejects.toBeInstanceOf(NoAnswer);
    await replace(at.services, receipt, {
      kind: "notice",
      text: { key: "job.deleted" },
      job: result("video").job,
    });
    expect(at.answers().map(({ text, media }) => ({ text, media }))).toEqual([{ text: "Deleted." }]);
  });

  it("comes although the photo that it answers is gone", async () => {
    await using at = await harness();
    at.ann.deletes(at.photo);
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("for somebody who has blocked the bot is not tried in a loop", async () => {
    await using at = await harness();
    at.ann.blocks();
    await expect(post(at.services, at.address, result("video"))).rejects.toMatchObject({
      code: "undeliverable",
    });
  });
});

describe("a result that cannot be posted where its progress stands", () => {
  it("leaves a sentence there instead, without a bar and without buttons", async () => {
    await using at = await harness();
    const forum = at.telegram.group({ title: "Forum", forum: true });
    const topic = forum.opensTopic("Films");
    const { job } = result("video");
    const place = { chat: forum.chat.id, topic: topic.id, locale: "en" } as const;
    const actions = [action("cancel", job.id, "action.cancel")];
    const progress = { kind: "progress", job, phase: "running", percent: 62, actions } as const;
    const receipt = await post(at.services, place, progress);
    forum.closes(topic);
    const services = refusing(at.services, ["editMessageMedia"], "Bad Request: TOPIC_CLOSED");
    await expect(replace(services, receipt, result("video"))).rejects.toMatchObject({
      code: "undeliverable",
    });
    const there = at.ann.in(forum, topic);
    const left = await there.sees("could not be posted here");
    expect(left).toMatchObject({ id: receipt.message, buttons: [] });
    // Nothing of what was there is left, and nothing stands beside it.
    const words = there.chat().filter(({ from }) => from === "bot");
    expect(words.map(({ text }) => text)).toEqual([left.text]);
  });
});

describe("what was posted in a group that became a supergroup", () => {
  it("is found where it is: in the new chat, also where only the old one was asked for", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Friends" });
    const place = { chat: group.chat.id, locale: "en" } as const;
    group.upgrades();
    const receipt = await post(at.services, place, result("image"));
    expect(receipt.chat).toBe(group.chat.id);
    const there = at.ann.in(group);
    const files = () => there.chat().filter(({ media }) => media !== undefined);
    expect(files()).toHaveLength(2);
    await replace(at.services, receipt, {
      kind: "notice",
      text: { key: "job.deleted" },
      job: result("image").job,
    });
    expect(files()).toEqual([]);
    const said = await post(at.services, place, { kind: "notice", text: { key: "job.cancelled" } });
    expect(said.chat).toBe(group.chat.id);
  });
});

describe("a finished picture", () => {
  it("shows in the chat, with the original as a file below it", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("image"));
    const [photo, original] = at.files();
    expect(photo).toMatchObject({
      media: { kind: "photo" },
      replyTo: at.photo.id,
      buttons: [["Again"], ["Delete"]],
    });
    expect(original).toMatchObject({ media: { kind: "document", fileName: "made.png" }, replyTo: photo?.id });
    expect(original?.media?.bytes).toEqual(await readFile(picture));
  });

  it("takes the place of its progress, with the original below it", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    await replace(at.services, receipt, result("image"));
    const [photo, original] = at.answers();
    expect(at.answers()).toHaveLength(2);
    expect(photo).toMatchObject({
      id: receipt.message,
      media: { kind: "photo" },
      buttons: [["Again"], ["Delete"]],
    });
    expect(original).toMatchObject({ media: { kind: "document" }, replyTo: receipt.message });
  });
});

describe("a result that is to be covered", () => {
  it("is, as a video and as a picture", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    await post(at.services, at.address, {
      ...covered("image"),
      job: { ...result("image").job, id: "another" },
    });
    const [plain, photo, original] = at.files();
    expect(plain?.media?.covered).toBe(false);
    expect(photo?.media).toMatchObject({ kind: "photo", covered: true });
    // A file cannot be; what is shown of it before it is opened is a cover.
    expect(original?.media?.kind).toBe("document");
    const { channels } = await sharp(original?.media?.thumbnail).stats();
    expect(channels.map(({ stdev }) => stdev)).toEqual([0, 0, 0]);
  });

  it("stays so in its smaller form, and as a file that Telegram does not play", async () => {
    await using at = await harness({
      limits: { ...PATIENT, uploadBytes: (await readFile(clip)).length - 1 },
    });
    await post(at.services, at.address, covered("video"));
    expect(at.files()).toMatchObject([{ media: { kind: "video", covered: true } }]);
    await using other = await harness();
    const services = refusing(other.services, ["sendVideo"], "Bad Request: VIDEO_CONTENT_TYPE_INVALID");
    await post(services, other.address, covered("video"));
    const [file] = other.files();
    expect(file?.media?.kind).toBe("document");
    expect(file?.media?.thumbnail).toBeDefined();
  });
});

describe("a result that is spoken of later", () => {
  const gone = { kind: "notice", text: { key: "job.deleted" } } as const;

  it("goes with all its files when its job is deleted", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("image"));
    await replace(at.services, receipt, gone);
    expect(at.answers().map(({ text, media }) => ({ text, media }))).toEqual([{ text: "Deleted." }]);
  });

  it("says so itself where it is too old to go", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("video"));
    at.telegram.passTime(49 * 3_600_000);
    await replace(at.services, receipt, gone);
    const [shown] = at.answers();
    expect(at.answers()).toHaveLength(1);
    expect(shown).toMatchObject({ id: receipt.message, text: "Deleted.", buttons: [] });
    await expectCover(shown);
  });

  it("goes with its original where it is too old, and stays covered for nobody when it comes back", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("image"));
    at.telegram.passTime(49 * 3_600_000);
    const said = await replace(at.services, receipt, gone);
    const [photo, original] = at.answers();
    await expectCover(photo);
    await expectCover(original);
    expect(original).toMatchObject({ text: "", buttons: [] });
    const back = await replace(at.services, said, result("image"));
    expect(at.answers().map(({ text }) => text)).toEqual([
      "This can be seen again further down.",
      "",
      expect.stringContaining("done"),
      "",
    ]);
    // And goes again.
    await replace(at.services, back, gone);
    expect(at.answers().map(({ text }) => text)).toEqual([
      "This can be seen again further down.",
      "",
      "Deleted.",
    ]);
  });

  it("comes back after it was taken back, in the place of what was said meanwhile", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("video"));
    const said = await replace(at.services, receipt, gone);
    await replace(at.services, said, result("video"));
    expect(at.answers()).toMatchObject([{ media: { kind: "video" }, buttons: [["Again"], ["Delete"]] }]);
  });

  it("goes although its delivery broke off and nobody knows where it is", async () => {
    await using at = await harness();
    at.telegram.fails("sendDocument", { kind: "reset before" });
    await expect(post(at.services, at.address, result("image"))).rejects.toBeInstanceOf(NoAnswer);
    expect(at.files()).toHaveLength(1);
    await post(at.services, at.address, { ...gone, job: result("image").job });
    expect(at.answers().map(({ text }) => text)).toEqual(["Deleted."]);
  });

  it("is shown to an operator where they ask for it, and goes from where it was", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("video"));
    const olga = at.telegram.person({ name: "Olga" });
    olga.says("/start");
    const address = { chat: olga.user.id, locale: "en" } as const;
    // As the core does: under another name, because it is a job's result once more.
    const job = { ...result("video").job, id: `${JOB}-review` };
    await post(at.services, address, { ...result("video"), job, spoiler: true, actions: [] });
    await olga.sees(({ media }) => media?.covered === true);
    await replace(at.services, receipt, gone);
    expect(at.files()).toEqual([]);
    expect(olga.chat().filter(({ media }) => media)).toHaveLength(1);
  });

  it("stays when something about it goes wrong", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, result("video"));
    const view = { kind: "problem", problem: { code: "result_gone", params: {} }, charged: 0 } as const;
    expect(await replace(at.services, receipt, view)).toEqual(receipt);
    expect(at.answers()).toMatchObject([
      { media: { kind: "video" }, buttons: [["Again"], ["Delete"]] },
      { text: expect.stringContaining("never gave a complete file of it") },
    ]);
  });

  it("is forgotten with the person who asked for it in a group, where it took the place of its progress", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Friends" });
    at.ann.in(group).says("/start");
    const address = { chat: group.chat.id, user: at.ann.user.id, locale: "en" } as const;
    const view = result("video");
    const receipt = await post(at.services, address, { kind: "progress", job: view.job, phase: "running" });
    await replace(at.services, receipt, view);
    expect(await deliveriesIn(at.memory).find(JOB)).toBeDefined();
    await deliveriesIn(at.memory).forget(`telegram:${at.ann.user.id}`);
    expect(await deliveriesIn(at.memory).find(JOB)).toBeUndefined();
  });

  it("is forgotten with the person it was for, and with nobody else", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    await deliveriesIn(at.memory).forget("telegram:1");
    expect(await deliveriesIn(at.memory).find(JOB)).toBeDefined();
    await deliveriesIn(at.memory).forget(`telegram:${at.ann.user.id}`);
    expect(await deliveriesIn(at.memory).find(JOB)).toBeUndefined();
  });
});
