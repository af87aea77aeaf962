import { describe, expect, it } from "vitest";
import { deliver } from "../../../adapters/discord/messages/post.ts";
import { addressFor } from "../../../adapters/discord/context/chat-context.ts";
import { result } from "../../support/results.ts";
import { revise, harness } from "./results-harness.ts";

const notice = { kind: "notice", text: { key: "report.state.settled" } } as const;

describe("somebody who did not ask", () => {
  it("is a channel of a server, where everybody reads what is told and changed there", async () => {
    await using at = await harness();
    const { services } = await at.asks();
    const room = at.guild.channel({ name: "operators" });
    at.bob.joins(room);
    const address = await addressFor(services, `discord:${room.id}`);
    const receipt = await deliver(services, address, notice);
    await revise(services, receipt, { ...notice, text: { key: "report.state.taken_down" } });
    const [told, ...others] = at.bob.chat({ in: room });
    expect(told).toMatchObject({ text: "This result was taken down.", ephemeral: false });
    expect(others).toEqual([]);
    await deliver(services, address, { ...result("image"), spoiler: true });
    expect((await at.bob.sees("done", { in: room })).files).toMatchObject([
      { name: "made.png", covered: true },
    ]);
  });

  it("is a person, in their direct messages", async () => {
    await using at = await harness();
    const { services } = await at.asks();
    await deliver(services, await addressFor(services, `discord:${at.bob.user.id}`), notice);
    expect((await at.bob.sees("This result stays up")).channelId).toBe(at.bob.conversation.id);
  });

  it("is told that something is on its way, and finds it in the same message", async () => {
    await using at = await harness();
    const { services } = await at.asks();
    const address = await addressFor(services, `discord:${at.bob.user.id}`);
    const made = result("image");
    const receipt = await deliver(services, address, { kind: "progress", job: made.job, phase: "sending" });
    await revise(services, receipt, made);
    const chat = at.bob.chat({ in: at.bob.conversation });
    expect(chat).toHaveLength(1);
    expect(chat[0]?.files).toMatchObject([{ name: "made.png" }]);
  });

  it("is nobody where the id is no channel and no person, or the bot is kept out", async () => {
    await using at = await harness();
    const { services } = await at.asks();
    await expect(addressFor(services, `discord:${at.guild.id}`)).rejects.toMatchObject({
      code: "undeliverable",
    });
    const room = at.guild.channel({ name: "operators", denies: ["SendMessages"] });
    const address = await addressFor(services, `discord:${room.id}`);
    await expect(deliver(services, address, notice)).rejects.toMatchObject({ code: "undeliverable" });
  });
});
