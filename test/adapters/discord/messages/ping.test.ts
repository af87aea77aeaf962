import { describe, expect, it } from "vitest";
import { deliver } from "../../../../adapters/discord/messages/post.ts";
import type { ProgressView } from "../../../../src/seam/views.ts";
import { result } from "../../../support/results.ts";
import { harness, revise, TOKEN_MS } from "../results-harness.ts";

const running: ProgressView = { kind: "progress", job: result("video").job, phase: "running" };
const PING = "Tell me when it is done";

describe("a ping", () => {
  it("comes once, beside the result, to whoever wanted it", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    await at.ann.presses(PING);
    expect((await at.ann.sees("You get a message here when it is done.")).ephemeral).toBe(true);
    await revise(services, receipt, result("video"));
    await revise(services, receipt, result("video"));
    const [shown, ping, ...others] = at.said();
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ id: receipt.message, files: [{ name: "made.mp4" }] });
    expect(ping).toMatchObject({ replyTo: receipt.message });
    expect(ping?.text).toContain(`<@${at.ann.user.id}> It is done.`);
    const [call] = at.discord.calls("POST /channels/{channel_id}/messages");
    expect(call?.body).toMatchObject({ allowed_mentions: { users: [at.ann.user.id] } });
  });

  it("comes where the bot itself is not, too, as long as more can be said there", async () => {
    await using at = await harness({ present: false });
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    await at.ann.presses(PING);
    await at.ann.sees("You get a message here when it is done.");
    await revise(services, receipt, result("video"));
    expect((await at.bob.sees("It is done.", { in: at.channel })).ephemeral).toBe(false);
  });

  it("is nobody else's to want", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    await at.bob.presses(PING, { in: at.channel });
    expect((await at.bob.sees("belongs to somebody else")).ephemeral).toBe(true);
    await revise(services, receipt, result("video"));
    expect(at.said().filter(({ ephemeral }) => !ephemeral)).toMatchObject([{ id: receipt.message }]);
  });

  it("does not come beside a result that calls by itself", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running);
    await at.ann.presses(PING);
    await at.ann.sees("You get a message here when it is done.");
    at.discord.passTime(TOKEN_MS);
    await revise(services, receipt, result("video"));
    expect(at.said()).toHaveLength(2);
  });

  it("is not offered where only one person sees the progress", async () => {
    await using at = await harness();
    const { services, address } = await at.asks({ secret: true });
    await deliver(services, address, running);
    expect((await at.ann.sees("Photo to video")).buttons).toEqual([]);
  });
});
