import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTelegramSurface } from "../../../adapters/telegram/surface.ts";
import type { Surface } from "../../../src/chat/surface.ts";
import type { JobSummary, ProgressView, ResultView } from "../../../src/chat/views.ts";
import { readConfig } from "../../../src/config.ts";
import { createServer } from "../../../src/server.ts";
import { intake, QUICK, transport } from "./transport-stage.ts";

const job: JobSummary = {
  id: "0mwprskck334cb5f05e",
  operation: "video",
  values: { prompt: "zoom" },
  createdAt: 1,
};
const running = (percent: number): ProgressView => ({ kind: "progress", job, phase: "running", percent });
const ended = { kind: "notice", text: { key: "job.cancelled" } } as const;

/** A surface over a Telegram where Ann has said something. */
async function met(pace = QUICK) {
  const stage = await transport();
  const surface = createTelegramSurface(stage.office.host, pace);
  const ann = stage.telegram.person({ name: "Ann" });
  ann.says("/balance");
  const address = { chat: ann.user.id, locale: "en" };
  return {
    ...stage,
    surface,
    ann,
    address,
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const deliver = (surface: Surface, to: object) => surface.deliver({ ...to, locale: "en" }, ended);

describe("Telegram as a surface", () => {
  it("does not let a result wait for an edit that shows how far it is", async () => {
    await using stage = await met({ perChatMs: 300, perSecond: 30, perMinuteInGroup: 20 });
    const { surface, ann } = stage;
    await surface.start(intake);
    const receipt = await surface.deliver(stage.address, running(1));
    const begin = performance.now();
    for (let percent = 2; percent < 60; percent++) await surface.revise(receipt, running(percent));
    expect(performance.now() - begin).toBeLessThan(200);
    await surface.revise(receipt, ended);
    const { text, history } = await ann.sees(({ id }) => id === receipt["message"]);
    // Of all those edits none was in front of what somebody waits for.
    expect(history.length).toBeLessThanOrEqual(2);
    expect(text).not.toContain("%");
  });

  it("leaves a result alone that a killed process had posted already", async () => {
    await using stage = await met();
    const { surface, ann } = stage;
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
    const receipt = await surface.deliver(stage.address, result);
    await surface.revise(receipt, { kind: "progress", job, phase: "sending" });
    // Calls of one chat go out one after the other: an edit would be there before this.
    await deliver(surface, stage.address);
    const shown = await ann.sees(({ id }) => id === receipt["message"]);
    expect(shown).toMatchObject({ history: [], media: { kind: "video" } });
  });

  it("says where nothing can be delivered, once and for all", async () => {
    await using stage = await met();
    await stage.surface.start(intake);
    stage.ann.blocks();
    await expect(deliver(stage.surface, stage.address)).rejects.toMatchObject({ code: "undeliverable" });
    expect(stage.telegram.calls("sendMessage").filter(({ error }) => error)).toHaveLength(1);
  });

  it("delivers into the topic that was asked in, and follows a group that moves", async () => {
    await using stage = await met();
    const { surface, telegram, ann } = stage;
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

  it("starts without a Telegram that cannot be reached, and is there as soon as it can", async () => {
    await using stage = await met();
    const proxy = createServer(async () => []);
    let isDown = true;
    proxy.routes.all("/*", async (c) => {
      if (isDown) return c.text("Bad Gateway", 502);
      const body = await c.req.text();
      const headers = { "content-type": c.req.header("content-type") ?? "application/json" };
      const call = fetch(stage.telegram.url + c.req.path, { method: "POST", body, headers });
      return call.catch(() => c.text("Bad Gateway", 502));
    });
    const { token } = stage.telegram;
    const apiRoot = await proxy.listen("127.0.0.1", 0);
    const config = { ...readConfig({}), telegram: { token, apiRoot, webhook: false } };
    const surface = createTelegramSurface({ ...stage.office.host, config }, QUICK);
    const started = surface.start(intake);
    await expect.poll(() => stage.lines.join("")).toContain("cannot be reached");
    expect(surface.ready()).toBe(false);
    const early: unknown = await deliver(surface, stage.address).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(Error);
    expect(early).not.toMatchObject({ code: "undeliverable" });
    isDown = false;
    await started;
    expect(surface.ready()).toBe(true);
    await deliver(surface, stage.address);
    expect(await stage.ann.sees("Cancelled")).toMatchObject({ from: "bot" });
    await surface.stop();
    await proxy.stop();
    expect(stage.lines.join("")).not.toContain(token);
  });
});
