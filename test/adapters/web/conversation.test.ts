import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Conversation } from "../../../adapters/web/conversation.ts";
import { changed } from "../../../adapters/web/page/src/state/history.ts";
import type { JobSummary, ProblemView } from "../../../src/seam/views.ts";
import { history, post, untilMessage, uploadFile, uploadPhoto } from "./support/client.ts";
import { startSite, type Site } from "./support/site.ts";

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

/** Files are looked after elsewhere. */
const noFiles = { add: async () => {}, remove: async () => {} };
const HERE = { conversation: "me" };
const job: JobSummary = { id: "job-1", operation: "video", values: {}, createdAt: 0 };
const progress = { kind: "progress", job, phase: "running" } as const;
const problem: ProblemView = { kind: "problem", job, problem: { code: "network", params: {} }, charged: 0 };
const say = (to: Conversation, id: string) =>
  to.put(id, "reelay", { kind: "notice", text: { key: "job.deleted" } });
const kinds = async () => (await history(site.url)).map(({ body }) => body.kind);

/** The picture of the film that comes next. */
async function posterIn({ core, url }: Site): Promise<string | undefined> {
  await core.deliverResult(job);
  const [message] = await history(url);
  return message?.body.kind === "result" ? message.body.media[0]?.poster : undefined;
}

describe("a job's message", () => {
  it("turns from progress into the result", async () => {
    const receipt = await site.surface.deliver(HERE, progress);
    expect(await site.core.deliverResult(job)).toEqual(receipt);
    expect(await kinds()).toEqual(["result"]);
  });

  it("shows a result that is delivered twice once, at the end", async () => {
    await site.core.deliverResult(job);
    await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.cancelled" } });
    await site.core.deliverResult(job);
    expect(await kinds()).toEqual(["notice", "result"]);
  });

  it("keeps its result whatever is said of the job later", async () => {
    await site.core.deliverResult(job);
    await site.surface.deliver(HERE, problem);
    await site.surface.deliver(HERE, progress);
    expect(await kinds()).toEqual(["result", "problem", "progress"]);
  });

  it("loses its file when it is replaced, and the photo stays with the request", async () => {
    const image = await uploadPhoto(site.url);
    await post(site.url, "/web/command/video", { values: { image, prompt: "x" } });
    const { id, body } = await untilMessage(site.url, "result");
    const [video] = body.kind === "result" ? body.media : [];
    await site.surface.revise({ id }, { kind: "notice", text: { key: "job.deleted" } });
    expect(await kinds()).toEqual(["request", "notice"]);
    for (const file of [video?.id, video?.poster])
      await expect(site.files.stat(file ?? "")).rejects.toMatchObject({ code: "media_gone" });
    await expect(site.files.stat(image.id)).resolves.toEqual({ bytes: image.bytes });
  });

  it("leaves its photo to a form that somebody fills in again, until that is sent, or they are forgotten", async () => {
    const image = await uploadPhoto(site.url);
    const values = { image, prompt: "x" };
    const status = async () => (await fetch(`${site.url}/web/media/${image.id}`)).status;
    const quote = () => post(site.url, "/web/quote/video", { values });
    const makeAndDelete = async (draft: string, meanwhile: () => Promise<unknown>) => {
      await post(site.url, "/web/command/video", { values, draft });
      const { id } = await untilMessage(site.url, "result");
      await meanwhile();
      await post(site.url, "/web/aside/act", { token: `delete-now:${id}` });
    };
    await quote();
    await makeAndDelete("a", quote);
    expect(await status()).toBe(200);
    await makeAndDelete("b", async () => {});
    expect(await status()).toBe(404);

    await uploadPhoto(site.url);
    await makeAndDelete("c", quote);
    await site.surface.forget("web:me");
    expect(await status()).toBe(404);
  });

  it("has a picture of its film as long as there is what makes one", async () => {
    const poster = await fetch(`${site.url}/web/media/${await posterIn(site)}`);
    expect(poster.headers.get("content-type")).toBe("image/jpeg");
    const bare = await startSite({ env: { REELAY_FFMPEG: "/nowhere/ffmpeg" } });
    expect(await posterIn(bare)).toBeUndefined();
    await bare.close();
  });

  it("that is taken back comes again in its place, with its file", async () => {
    const receipt = await site.core.deliverResult(job);
    await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.cancelled" } });
    await site.surface.revise(receipt ?? {}, { kind: "notice", text: { key: "job.deleted" }, job });
    expect(await kinds()).toEqual(["notice", "notice"]);
    await site.core.deliverResult(job);
    const [{ body } = { body: undefined }] = await history(site.url);
    const [video] = body?.kind === "result" ? body.media : [];
    expect((await fetch(`${site.url}/web/media/${video?.id}`)).status).toBe(200);
  });

  it("is followed by one notice, however often it is pressed that has begun", async () => {
    const begun = { kind: "notice", text: { key: "error.already_begun" } } as const;
    await site.surface.deliver(HERE, progress);
    const receipts = await Promise.all(Array.from({ length: 10 }, () => site.surface.deliver(HERE, begun)));
    expect(await kinds()).toEqual(["progress", "notice"]);
    for (const receipt of receipts) expect(receipt).toEqual(receipts[0]);
    await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.cancelled" } });
    await site.surface.deliver(HERE, begun);
    expect(await kinds()).toEqual(["progress", "notice", "notice", "notice"]);
  });

  it("is not stored when its file could not be", async () => {
    await site.surface.deliver(HERE, progress);
    const broken = {
      kind: "result",
      job,
      cost: 1,
      balance: 1,
      tookMs: 1,
      spoiler: false,
      actions: [],
      media: [{ kind: "video", name: "x", open: () => Promise.reject(new Error("reset")) }],
    } as const;
    await expect(site.surface.deliver(HERE, broken)).rejects.toThrow("reset");
    expect(await kinds()).toEqual(["progress"]);
  });
});

describe("the conversation", () => {
  it("outlives a restart", async () => {
    await site.core.deliverResult(job);
    await post(site.url, "/web/command/balance", { values: {} });
    const before = await history(site.url);
    await site.stop();
    site = await startSite({ data: site.data });
    expect(await history(site.url)).toEqual(before);
    const [{ body } = { body: undefined }] = before;
    const [video] = body?.kind === "result" ? body.media : [];
    expect((await fetch(`${site.url}/web/media/${video?.id}`)).status).toBe(200);
  });

  it("loses nothing to a second process on the same data, whoever speaks last", async () => {
    const [one, other] = [0, 1].map(() => new Conversation(site.memory, noFiles));
    if (!one || !other) throw new Error("Two were made.");
    await one.load();
    await other.load();
    await say(one, "a");
    await Promise.all([say(other, "b"), one.addMedia("photo", "image/jpeg")]);
    await say(one, "c");
    expect((await other.all()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(await other.get("a")).toBeDefined();
    expect(await other.media("photo")).toMatchObject({ type: "image/jpeg" });
  });

  it("finds a file once more whose erasing was cut off", async () => {
    const removed: string[] = [];
    let isCutOff = true;
    const remove = async (id: string) => {
      if (isCutOff) throw new Error("killed");
      removed.push(id);
    };
    const before = new Conversation(site.memory, { ...noFiles, remove });
    await before.addMedia("f".repeat(64), "image/jpeg");
    await expect(before.clear()).rejects.toThrow("killed");
    isCutOff = false;
    await new Conversation(site.memory, { ...noFiles, remove }).clear();
    expect(removed).toEqual(["f".repeat(64)]);
  });

  it("has what comes last at its end, also where the clock was set back before a restart", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const before = new Conversation(site.memory, noFiles);
    await before.load();
    for (const id of ["a", "b"]) await say(before, id);
    vi.setSystemTime(Date.now() - 3_600_000);
    const after = new Conversation(site.memory, noFiles);
    await after.load();
    for (const id of ["c", "d"]) await say(after, id);
    expect((await after.all()).map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  });

  it("finds the files that an earlier version kept in one list", async () => {
    await site.memory.set("conversation", {
      messages: [],
      media: { old: { type: "image/png", at: Date.now() } },
    });
    const conversation = new Conversation(site.memory, noFiles);
    await conversation.load();
    expect(await conversation.media("old")).toMatchObject({ type: "image/png" });
    expect(await site.memory.get("conversation")).toBeUndefined();
  });

  it("keeps the newest 500 messages, and nothing of the others", async () => {
    const conversation = new Conversation(site.memory, noFiles);
    await conversation.load();
    for (let i = 0; i < 503; i++) {
      await say(conversation, `m${i}`);
    }
    const messages = await conversation.all();
    expect(messages).toHaveLength(500);
    expect(messages[0]?.id).toBe("m3");
    expect(await site.memory.get("message:m2")).toBeUndefined();
    expect(await site.memory.get("message:m3")).toBeDefined();
  });

  it("keeps fewer where they are long: each window is sent all of them at once", async () => {
    const conversation = new Conversation(site.memory, noFiles);
    await conversation.load();
    const prompt = "swan ".repeat(50_000);
    for (let i = 0; i < 18; i++)
      await conversation.put(`m${i}`, "person", { kind: "request", command: "image", values: { prompt } });
    const messages = await conversation.all();
    expect(messages).toHaveLength(16);
    expect(messages[0]?.id).toBe("m2");
    expect(await site.memory.get("message:m1")).toBeUndefined();
  });

  it("forgets photos that nothing used for a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { id } = await uploadPhoto(site.url);
      vi.setSystemTime(Date.now() + 25 * 3_600_000);
      await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.deleted" } });
      await expect(site.files.stat(id)).rejects.toMatchObject({ code: "media_gone" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps every file of a list as long as its request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const names = ["one.jpg", "two.jpg"];
      const images = await Promise.all(
        names.map((name) => uploadFile(site.url, name, "image/jpeg", Buffer.from(name))),
      );
      await post(site.url, "/web/command/image-edit", { values: { images, prompt: "blend" } });
      vi.setSystemTime(Date.now() + 25 * 3_600_000);
      await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.deleted" } });
      for (const { id } of images) await expect(site.files.stat(id)).resolves.toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is rid of what came before a time, but for what is going on with its photo", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const image = await uploadPhoto(site.url);
      await site.surface.deliver(HERE, { ...progress, job: { ...job, id: "job-2", values: { image } } });
      await site.core.deliverResult(job);
      const { body } = await untilMessage(site.url, "result");
      const [video] = body.kind === "result" ? body.media : [];
      const between = Date.now() + 1000;
      vi.setSystemTime(between + 1000);
      await site.surface.deliver(HERE, { kind: "notice", text: { key: "job.cancelled" } });
      await site.surface.expire(between);
      expect(await kinds()).toEqual(["progress", "notice"]);
      await expect(site.files.stat(video?.id ?? "")).rejects.toMatchObject({ code: "media_gone" });
      await expect(site.files.stat(image.id)).resolves.toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is where the page's one person is reached, and nobody else", async () => {
    expect(await site.surface.reach("web:me")).toEqual(HERE);
    await expect(site.surface.reach("web:you")).rejects.toMatchObject({ code: "undeliverable" });
  });

  it("opens the pictures of a request for the core", async () => {
    const image = await uploadPhoto(site.url);
    const stream = await site.surface.openMedia(image);
    expect(stream).toBeInstanceOf(Readable);
    const chunks: Buffer[] = await stream.toArray();
    expect(Buffer.concat(chunks).length).toBe(image.bytes);
  });
});

function message(id: string, at: number) {
  return { id, at, from: "reelay", body: { kind: "notice", text: { key: "job.deleted" } } } as const;
}

describe("the page's copy", () => {
  it("changes messages in their place, moves those that are posted anew, and forgets those that go", () => {
    const empty = { messages: undefined, connected: false };
    let state = changed(empty, { event: "history", data: [message("a", 1), message("b", 2)] });
    expect(state.connected).toBe(true);
    const ids = () => state.messages?.map(({ id }) => id);
    state = changed(state, { event: "message", data: message("a", 1) });
    expect(ids()).toEqual(["a", "b"]);
    state = changed(state, { event: "message", data: message("a", 3) });
    expect(ids()).toEqual(["b", "a"]);
    state = changed(state, { event: "message", data: message("c", 4) });
    state = changed(state, { event: "removed", data: { id: "b" } });
    expect(ids()).toEqual(["a", "c"]);
    state = changed(state, { event: "lost" });
    expect(state).toMatchObject({ connected: false, messages: [{ id: "a" }, { id: "c" }] });
  });
});
