import { describe, expect, it } from "vitest";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import { copyRenderer } from "../../../src/sandbox/sandbox.ts";
import type { Channel } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { tinyClip } from "../../support/sandbox.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

const PUBLISH = "POST /webhooks/{webhook_id}/{webhook_token}";
const CHANGE = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}";

const PROGRESS = /^Photo to video\n/;

/** A service that makes no clip before it is let. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const copy = copyRenderer(tinyClip());
  return {
    render: async (...task: Parameters<typeof copy>) => {
      await promise;
      await copy(...task);
    },
    release: resolve,
  };
}

/** Ann has asked for a video in a channel where Bob reads along, and sees that it is being made. */
async function waiting() {
  const { render, release } = held();
  const at = await makingHarness({ render });
  await asks(at.ann, at.channel);
  return { ...at, discord: at.on.discord, release };
}

async function asks(person: Person, channel: Channel): Promise<SeenMessage> {
  await person.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
  await person.presses(/^Make it/);
  return person.sees(PROGRESS, { in: channel });
}

/** What was made, wherever somebody sees it. */
const results = (person: Person) => person.chat().filter(isResult);

describe("while a job runs", () => {
  it("a gateway that is lost is found again, and nothing that was asked meanwhile is missed", async () => {
    await using at = await waiting();
    const { discord, ann, bob, channel } = at;
    discord.gateway.drops();
    const asked = bob.uses("/balance", {}, { in: channel });
    at.release();
    await asked;
    await bob.sees("play money");
    await ann.sees(isResult);
    expect(discord.gateway.resumes).toBe(1);
    expect(results(ann)).toHaveLength(1);
  });

  it("refusals for being too fast only delay what is said", async () => {
    await using at = await waiting();
    const { discord, ann } = at;
    const slower = { kind: "rate limit", retryAfter: 0.2 } as const;
    discord.fails(CHANGE, slower, 3);
    discord.fails(PUBLISH, { ...slower, global: true }, 1);
    at.release();
    await ann.sees(isResult);
    await ann.uses("/balance");
    await ann.sees("play money");
    expect(results(ann)).toHaveLength(1);
  });

  it("a progress message that a moderator deletes comes back as the result", async () => {
    await using at = await waiting();
    const { ann, bob, channel } = at;
    bob.deletes(await bob.sees(PROGRESS, { in: channel }));
    at.release();
    await ann.sees(isResult, { in: channel });
    expect(results(bob)).toHaveLength(1);
  });

  it("a channel that is deleted sends the result to whoever asked", async () => {
    await using at = await waiting();
    const { ann, bob, channel } = at;
    channel.disappears();
    at.release();
    expect(await ann.sees(isResult)).toMatchObject({ channelId: ann.conversation.id });
    expect(results(ann)).toHaveLength(1);
    expect(results(bob)).toEqual([]);
  });

  it("a server that the bot is removed from sends the result to whoever asked", async () => {
    await using at = await waiting();
    const { discord, ann, channel } = at;
    channel.guild?.removesBot();
    discord.passTime(DISCORD.tokenMs);
    at.release();
    expect(await ann.sees(isResult)).toMatchObject({ channelId: ann.conversation.id });
    expect(results(ann)).toHaveLength(1);
  });

  it("a permission that is taken away is named, and the result comes all the same", async () => {
    await using at = await waiting();
    const { discord, ann, channel } = at;
    channel.denies("SendMessages");
    discord.passTime(DISCORD.tokenMs);
    at.release();
    await ann.sees(isResult);
    await ann.sees("“Send Messages”");
    expect(results(ann)).toHaveLength(1);
  });

  it("a person who takes no messages finds the result in /jobs", async () => {
    await using at = await waiting();
    const { discord, ann, bob, channel } = at;
    ann.closesConversation();
    channel.denies("SendMessages");
    discord.passTime(DISCORD.tokenMs);
    at.release();
    await bob.sees("could not be posted here", { in: channel });
    expect(results(ann)).toEqual([]);
    // The ledger knows a moment later.
    const deliveries = () => at.on.database.kysely.selectFrom("jobs").select("delivery").execute();
    await expect.poll(deliveries).toEqual([{ delivery: "undeliverable" }]);
    await ann.uses("/jobs", {}, { in: channel });
    await ann.sees("finished, could not be posted", { fresh: true });
    await ann.presses("1. Show again");
    expect(await ann.sees(isResult, { in: channel })).toMatchObject({ ephemeral: true });
    expect(results(bob)).toEqual([]);
  });
});
