import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepOwn } from "../../../adapters/kit/files/own-files.ts";
import { BLANK } from "../../../adapters/kit/drafts/draft.ts";
import { DraftStore } from "../../../adapters/kit/drafts/store.ts";
import { deliveriesIn } from "../../../adapters/telegram/messages/results-memory.ts";
import { createTelegramSurface } from "../../../adapters/telegram/surface.ts";
import { action } from "../../../src/seam/text/actions.ts";
import { type JobRecord, NO_OUTLOOK } from "../../../src/seam/access/job-record.ts";
import type { Intake, Surface } from "../../../src/seam/surface/surface.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import type { JobSummary, ProgressView, ResultView } from "../../../src/seam/views.ts";
import { readConfig } from "../../../src/app/config.ts";
import { createServer } from "../../../src/app/server.ts";
import { noJobs } from "../../support/job-access.ts";
import { intake, QUICK, transport } from "./transport-harness.ts";

const job: JobSummary = {
  id: "0mwprskck334cb5f05e",
  operation: "video",
  values: { prompt: "zoom" },
  createdAt: 1,
};
const jobRecord: JobRecord = {
  ...job,
  user: "telegram:1",
  mature: false,
  tags: { platform: "telegram", inAppUsername: "x" },
  address: {},
  receipt: null,
  status: "running",
  phase: "running",
  progress: null,
  cost: null,
  problem: null,
  acceptedAt: null,
  endedAt: null,
  ...NO_OUTLOOK,
};
const running = (percent: number): ProgressView => ({ kind: "progress", job, phase: "running", percent });
const ended = { kind: "notice", text: { key: "job.cancelled" } } as const;

/** A surface over a Telegram where Ann has said something. */
async function met(pace = QUICK) {
  const harness = await transport();
  const surface = createTelegramSurface(harness.services.host, pace);
  const ann = harness.telegram.person({ name: "Ann" });
  ann.says("/balance");
  const address = { chat: ann.user.id, locale: "en" };
  return {
    ...harness,
    surface,
    ann,
    address,
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await harness[Symbol.asyncDispose]();
    },
  };
}

afterEach(() => void vi.useRealTimers());

const deliver = (surface: Surface, to: object) => surface.deliver({ ...to, locale: "en" }, ended);

describe("Telegram as a surface", () => {
  it("does not let a result wait for an edit that shows how far it is", async () => {
    const perChatMs = 1_000;
    await using harness = await met({ burst: 1, perChatMs, perSecond: 30, perMinuteInGroup: 20 });
    const { surface, ann } = harness;
    await surface.start(intake);
    const receipt = await surface.deliver(harness.address, running(1));
    const begin = performance.now();
    for (let percent = 2; percent < 60; percent++) await surface.revise(receipt, running(percent));
    const turns = (performance.now() - begin) / perChatMs;
    // Whoever waited for each edit would have waited for 58 turns.
    expect(turns).toBeLessThan(29);
    await surface.revise(receipt, ended);
    const { text, history } = await ann.sees(({ id }) => id === receipt["message"]);
    // Of all those edits none was in front of what somebody waits for.
    expect(history.length).toBeLessThanOrEqual(2 + Math.floor(turns));
    expect(text).not.toContain("%");
  });

  it("leaves a result alone that a killed process had posted already", async () => {
    await using harness = await met();
    const { surface, ann } = harness;
    await surface.start(intake);
    const media = {
      kind: "video",
      name: "clip",
      open: async () => ({ stream: Readable.from([Buffer.from("film")]), type: "video/mp4" }),
    } as const;
    const result: ResultView = {
      kind: "result",
      job,
      media: [media],
      cost: 1,
      balance: 2,
      tookMs: 3,
      spoiler: false,
      actions: [],
    };
    const receipt = await surface.deliver(harness.address, result);
    await surface.revise(receipt, { kind: "progress", job, phase: "sending" });
    // Calls of one chat go out one after the other: an edit would be there before this.
    await deliver(surface, harness.address);
    const shown = await ann.sees(({ id }) => id === receipt["message"]);
    expect(shown).toMatchObject({ history: [], media: { kind: "video" } });
  });

  it("posts progress no more that the person has deleted", async () => {
    await using harness = await met();
    const { surface, ann, telegram } = harness;
    await surface.start(intake);
    const receipt = await surface.deliver(harness.address, running(10));
    ann.deletes(await ann.sees(({ id }) => id === receipt["message"]));
    await surface.revise(receipt, running(20));
    await expect.poll(() => telegram.calls("editMessageText")).toHaveLength(1);
    // What came of that edit would be there before the second of these.
    await deliver(surface, harness.address);
    await deliver(surface, harness.address);
    expect(ann.chat().filter(({ text }) => text.includes("20 %"))).toEqual([]);
  });

  it("says where nothing can be delivered, once and for all", async () => {
    await using harness = await met();
    await harness.surface.start(intake);
    harness.ann.blocks();
    await expect(deliver(harness.surface, harness.address)).rejects.toMatchObject({ code: "undeliverable" });
    expect(harness.telegram.calls("sendMessage").filter(({ error }) => error)).toHaveLength(1);
  });

  it("delivers into the topic that was asked in, and follows a group that moves", async () => {
    await using harness = await met();
    const { surface, telegram, ann } = harness;
    await surface.start(intake);
    const forum = telegram.group({ title: "Forum", forum: true });
    const topic = forum.opensTopic("Films");
    await deliver(surface, { chat: forum.chat.id, topic: topic.id });
    expect(await ann.in(forum, topic).sees("Cancelled")).toMatchObject({ topic: topic.id });
    const group = telegram.group({ title: "Friends" });
    const { id: old } = group.chat;
    group.upgrades();
    await deliver(surface, { chat: old });
    expect(await ann.in(group).sees("Cancelled")).toMatchObject({ chatId: group.chat.id });
  });

  it("shows what answers a press to whoever pressed alone, in a group under what is not theirs", async () => {
    await using harness = await met();
    const { surface, telegram } = harness;
    const long = "and so on ".repeat(40);
    const pressed: Intake = {
      ...intake,
      async act({ address }, token) {
        const text = { key: "fact.text", params: { text: `${token} ${long}` } } as const;
        if (token.startsWith("report")) await surface.deliver(address, { kind: "notice", text });
        // The last word on a job is for the group, whoever pressed what.
        await surface.deliver(address, { kind: "notice", text: { key: "job.cancelled" }, job });
      },
    };
    await surface.start(pressed);
    const group = telegram.group({ title: "Friends" });
    const ann = harness.ann.in(group);
    const ben = telegram.person({ name: "Ben" }).in(group);
    const asked = ann.says("/video");
    const place = { chat: group.chat.id, replyTo: asked.id, locale: "en" };
    const buttons = ["again", "report"].map((name) => action(name, "1", "action.report"));
    await surface.deliver(place, { kind: "notice", text: { key: "help.text" }, actions: buttons });
    for (const one of [ben, ann]) {
      await one.presses(({ callback_data: data }) => data === "report:1");
      const { text, alert } = await one.hears("report:1 and so on");
      expect([alert, Array.from(text).length <= 200, text.endsWith("…")]).toEqual([true, true, true]);
    }
    await ben.presses(({ callback_data: data }) => data === "again:1");
    const cancelled = () => ann.chat().filter(({ text }) => text === "Cancelled. Nothing was charged.");
    await telegram.until(() => cancelled().length === 3 && ben.toasts().length === 2);
    expect(ann.chat().filter(({ text }) => text.includes("and so on"))).toEqual([]);
    expect(ben.toasts().at(-1)).toMatchObject({ text: "", alert: false });
  });

  it("gives a file to its person alone, also where it was asked for in a group", async () => {
    await using harness = await met();
    const { surface, telegram, ann } = harness;
    await surface.start(intake);
    const file = { name: "me.json", type: "application/json", content: '{"a":"ü"}' };
    const view = { kind: "file", text: { key: "export.text" }, file } as const;
    const group = telegram.group({ title: "Friends" });
    await surface.deliver({ chat: group.chat.id, user: ann.user.id, locale: "en" }, view);
    const shown = await ann.sees(({ media }) => media?.fileName === "me.json");
    expect(String(shown.media?.bytes)).toBe('{"a":"ü"}');
    expect(shown.text).toContain("It holds neither your key");
    const inGroup = ann.in(group).chat();
    expect(inGroup.filter(({ media }) => media)).toEqual([]);
    // Somebody who has no private chat with the bot, and a group where nobody asked.
    const ben = telegram.person({ name: "Ben" });
    for (const to of [{ user: ben.user.id }, {}])
      await expect(surface.deliver({ chat: group.chat.id, locale: "en", ...to }, view)).rejects.toMatchObject(
        { code: "undeliverable" },
      );
  });

  it("reaches people and groups who did not ask, in their language", async () => {
    await using harness = await met();
    const { surface, telegram, ann } = harness;
    await surface.start({
      ...intake,
      preferences: async () => ({ locale: "de", spendBelow: null, stated: [] }),
    });
    const group = telegram.group({ title: "Operators" });
    for (const chat of [ann.user.id, group.chat.id])
      await surface.deliver(await surface.reach(`telegram:${chat}`), ended);
    await ann.sees("Abgebrochen");
    await ann.in(group).sees("Abgebrochen");
    for (const nobody of ["telegram:friends", "telegram:0", "discord:12"] as const)
      await expect(surface.reach(nobody)).rejects.toMatchObject({ code: "undeliverable" });
  });

  it("lets go of what is old, but of no file that a job or a draft still needs", async () => {
    await using harness = await met();
    const { surface, services, memory: kept, ann } = harness;
    const owner = `telegram:${ann.user.id}` as const;
    const [free, ofJob, ofDraft] = await Promise.all(
      ["free", "of a job", "of a draft"].map((words) => keepOwn(services, owner, Buffer.from(words))),
    );
    const values = { image: ofJob ?? "" };
    await surface.start({ ...intake, jobs: { ...noJobs, list: async () => [{ ...jobRecord, values }] } });
    const receipt = { chat: ann.user.id, message: 5, form: "text", locale: "en" } as const;
    const drafts = new DraftStore(kept);
    const draft = { ...BLANK, id: "5", owner, address: receipt, values: { image: ofDraft ?? "" } };
    await drafts.keep(draft);
    await drafts.noteUsed({ owner, operation: "video" });
    await deliveriesIn(kept).keep(job.id, { address: receipt, posted: [], pending: false, complete: true });
    const isThere = async (file: MediaRef | undefined) => {
      const { id = "" } = file ?? {};
      return (await services.host.files.stat(id.replace("file:", "")).catch(() => undefined)) !== undefined;
    };
    const left = () => Promise.all([free, ofJob, ofDraft].map(isThere));
    await surface.expire(0);
    expect(await left()).toEqual([true, true, true]);
    expect(await deliveriesIn(kept).find(job.id)).toBeDefined();
    const old = Date.now() + 1;
    vi.useFakeTimers({ toFake: ["Date"], now: old });
    await drafts.keep(draft);
    await surface.expire(old);
    expect(await left()).toEqual([false, true, true]);
    expect(await deliveriesIn(kept).find(job.id)).toBeUndefined();
    expect(await drafts.lastUsed(owner)).toBeUndefined();
    await surface.expire(old + 1);
    expect(await left()).toEqual([false, true, false]);
    expect(await drafts.find("5")).toBeUndefined();
  });

  it("starts without a Telegram that cannot be reached, and is there as soon as it can", async () => {
    await using harness = await met();
    const proxy = createServer(async () => []);
    let isDown = true;
    proxy.routes.all("/*", async (c) => {
      if (isDown) return c.text("Bad Gateway", 502);
      const body = await c.req.text();
      const headers = { "content-type": c.req.header("content-type") ?? "application/json" };
      const call = fetch(harness.telegram.url + c.req.path, { method: "POST", body, headers });
      return call.catch(() => c.text("Bad Gateway", 502));
    });
    const { token } = harness.telegram;
    const apiRoot = await proxy.listen("127.0.0.1", 0);
    const config = { ...readConfig({}), telegram: { token, apiRoot, webhook: false } };
    const surface = createTelegramSurface({ ...harness.services.host, config }, QUICK);
    const started = surface.start(intake);
    await expect.poll(() => harness.lines.join("")).toContain("cannot be reached");
    expect(surface.ready()).toBe(false);
    const early: unknown = await deliver(surface, harness.address).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(Error);
    expect(early).not.toMatchObject({ code: "undeliverable" });
    isDown = false;
    await started;
    expect(surface.ready()).toBe(true);
    await deliver(surface, harness.address);
    expect(await harness.ann.sees("Cancelled")).toMatchObject({ from: "bot" });
    await surface.stop();
    await proxy.stop();
    expect(harness.lines.join("")).not.toContain(token);
  });
});
