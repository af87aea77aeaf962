import { describe, expect, it } from "vitest";
import { deliver } from "../../../../adapters/discord/messages/post.ts";
import type { ProblemView, ProgressView, View } from "../../../../src/seam/views.ts";
import { JOB } from "../../../support/results.ts";
import { revise, harness, TOKEN_MS } from "../results-harness.ts";

const job = { id: JOB, operation: "video", values: {}, createdAt: 1 };
const running: ProgressView = { kind: "progress", job, phase: "running", percent: 40 };
const notice: View = { kind: "notice", text: { key: "balance.own" } };
const PUBLISH = "POST /webhooks/{webhook_id}/{webhook_token}";
const cancelled: View = { kind: "notice", text: { key: "job.cancelled" } };
const problem: ProblemView = {
  kind: "problem",
  problem: { code: "job_failed", params: { reason: "no" } },
  job,
  charged: 0,
};

describe("what is said", () => {
  it("is for the person alone, but progress is for all", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, notice);
    await deliver(services, address, problem);
    await deliver(services, address, running);
    expect(at.said().map(({ text }) => text)).toEqual([
      `Photo to video\n▰▰▰▰▱▱▱▱▱▱ 40 %\n-# <@${at.ann.user.id}> · <t:0:R>`,
    ]);
    expect((await at.ann.sees("your own key")).ephemeral).toBe(true);
    expect((await at.ann.sees("Nothing was charged")).ephemeral).toBe(true);
  });

  it("in secret is for the person alone, all of it", async () => {
    await using at = await harness();
    const { services, address } = await at.asks({ secret: true });
    await deliver(services, address, running);
    expect(at.said()).toEqual([]);
    expect((await at.ann.sees("40 %")).ephemeral).toBe(true);
  });

  it("after the token died is a direct message, and progress is nothing", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    at.discord.passTime(TOKEN_MS);
    await deliver(services, address, notice);
    expect(await at.ann.sees("your own key")).toMatchObject({ channelId: at.ann.conversation.id });
    await expect(deliver(services, address, running)).rejects.toMatchObject({ name: "Refused" });
    expect(at.said()).toEqual([]);
  });

  it("after the token died answers the newest thing that the person did", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    at.discord.passTime(TOKEN_MS);
    await at.asks();
    await deliver(services, address, notice);
    expect(await at.ann.sees("your own key")).toMatchObject({ ephemeral: true, channelId: at.channel.id });
  });

  it("is undeliverable to somebody who takes no direct messages either", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    at.discord.passTime(TOKEN_MS);
    at.ann.closesConversation();
    await expect(deliver(services, address, notice)).rejects.toMatchObject({ code: "undeliverable" });
  });

  it("beyond what an interaction takes of somebody's own app is a direct message", async () => {
    await using at = await harness({ present: false });
    const { services, address } = await at.asks();
    for (let nth = 0; nth < 7; nth++) await deliver(services, address, notice);
    expect(at.ann.chat({ in: at.ann.conversation })).toHaveLength(2);
  });

  it("while Discord is down is tried again by whoever says it", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    at.discord.fails(PUBLISH, { kind: "bad gateway" });
    await expect(deliver(services, address, notice)).rejects.toMatchObject({ name: "NoAnswer" });
    await deliver(services, address, notice);
    expect(at.ann.chat({ in: at.channel }).filter(({ text }) => text.includes("own key"))).toHaveLength(1);
  });
});

describe("progress", () => {
  it("moves in its message, also after the token died", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    await revise(services, receipt, { ...running, percent: 60 });
    at.discord.passTime(TOKEN_MS);
    await revise(services, receipt, { ...running, percent: 80 });
    expect(at.said()).toMatchObject([
      { text: expect.stringContaining("80 %"), buttons: [["Tell me when it is done"]] },
    ]);
  });

  it.each([
    ["a server", false],
    ["the conversation with the bot", true],
  ])("in %s is one message, also where its answer was lost", async (_, alone) => {
    await using at = await harness();
    const where = { in: alone ? at.ann.conversation : at.channel };
    const { services, address } = await at.asks(where);
    at.discord.fails(PUBLISH, { kind: "reset after" });
    const receipt = await deliver(services, address, running);
    await revise(services, receipt, { ...running, percent: 60 });
    const said = at.ann.chat(where).filter(({ text }) => text.startsWith("Photo to video"));
    expect(said).toMatchObject([{ id: receipt.message, text: expect.stringContaining("60 %") }]);
  });

  it.each<[what: string, options: Parameters<typeof harness>[0], asks: object]>([
    ["where the bot itself is not", { present: false }, {}],
    ["where the bot may not read", { denies: ["ReadMessageHistory"] }, {}],
    ["that only one person sees", {}, { secret: true }],
  ])("%s is not known to be there when its answer was lost", async (_, options, asks) => {
    await using at = await harness(options);
    const { services, address } = await at.asks(asks);
    at.discord.fails(PUBLISH, { kind: "reset after" });
    await expect(deliver(services, address, running)).rejects.toMatchObject({ name: "NoAnswer" });
  });

  it("is none of an earlier interaction that said the same", async () => {
    await using at = await harness();
    const before = await at.asks();
    const first = await deliver(before.services, before.address, running);
    const { services, address } = await at.asks();
    at.discord.fails(PUBLISH, { kind: "reset before" });
    await expect(deliver(services, address, running)).rejects.toMatchObject({ name: "NoAnswer" });
    expect(at.said()).toMatchObject([{ id: first.message }]);
  });

  it("that cannot be shown stops nobody", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    at.channel.disappears();
    at.discord.passTime(TOKEN_MS);
    expect(await revise(services, receipt, running)).toEqual(receipt);
  });
});

describe("a job that came to nothing", () => {
  it("takes its progress away, and is told to the person alone", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await revise(services, await deliver(services, address, running), problem);
    expect(at.said()).toEqual([]);
    expect((await at.ann.sees("Nothing was charged")).ephemeral).toBe(true);
  });

  it("after the token died likewise, in a direct message", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    at.discord.passTime(TOKEN_MS);
    await revise(services, receipt, problem);
    // After a crash that left unknown whether it was told.
    await revise(services, receipt, problem);
    expect(at.said()).toEqual([]);
    expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([
      { text: expect.stringContaining("Nothing was charged") },
    ]);
  });

  it("takes the place of progress that only the person sees", async () => {
    await using at = await harness();
    const { services, address } = await at.asks({ secret: true });
    const receipt = await deliver(services, address, running);
    expect(await revise(services, receipt, problem)).toEqual(receipt);
    const said = at.ann.chat({ in: at.channel }).filter(({ id }) => id === receipt.message);
    expect(said).toMatchObject([{ text: expect.stringContaining("Nothing was charged") }]);
  });
});

describe("a job that was cancelled", () => {
  it("says so in the place of its progress", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    expect(await revise(services, receipt, cancelled)).toEqual(receipt);
    expect(at.said()).toMatchObject([{ id: receipt.message, text: "Cancelled. Nothing was charged." }]);
  });

  it("says so in private where its progress is gone", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    const [shown] = at.said();
    if (!shown) throw new Error("Nothing came.");
    at.bob.deletes(shown);
    expect(await revise(services, receipt, cancelled)).not.toEqual(receipt);
    expect((await at.ann.sees("Cancelled")).ephemeral).toBe(true);
  });
});
