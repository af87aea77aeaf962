import { PermissionFlagsBits as May } from "discord.js";
import { describe, expect, it } from "vitest";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import type { Renderer } from "../../../src/sandbox/render/task.ts";
import { copyRenderer } from "../../../src/sandbox/sandbox.ts";
import { tinyClip } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { allowSpending, cat, isResult, makeFirst, makingHarness } from "./making-harness.ts";

const missing = (right: string) => `I lack the permission “${right}” in `;
const lacking = missing("Attach Files");

describe("a channel where the bot may not attach files", () => {
  it("is named before the price, and the draft goes on once that was changed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    channel.denies("AttachFiles");
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const refused = await ann.sees(lacking);
    expect(refused.ephemeral).toBe(true);
    expect(refused.buttons.flat()).toContain("Try again");
    expect(refused.buttons.flat().join()).not.toContain("Make it");
    expect(refused.text).toContain("“waves”");
    channel.allows("AttachFiles");
    await ann.presses("Try again", { on: refused });
    await ann.presses(/^Make it/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("is named also when that was taken away after the price was said", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.sees("costs about");
    channel.denies("AttachFiles");
    await ann.presses(/^Make it/);
    await ann.sees(lacking);
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("is named before a result's button makes another, which goes on once that was changed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    channel.denies("AttachFiles");
    await ann.presses(/^New variation/, { in: channel });
    const refused = await ann.sees(lacking);
    expect(refused.ephemeral).toBe(true);
    expect(refused.buttons.flat()).toEqual([expect.stringMatching(/^New variation · \d/)]);
    expect(await submitted(on, 1)).toEqual(["first"]);
    channel.allows("AttachFiles");
    await ann.presses(/^New variation/, { on: refused });
    expect(await submitted(on, 2)).toEqual(["first", "first"]);
  });

  it("is named when a statement is pressed that was waited for, and that press goes on afterwards", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make faceswap", { face: cat, target: cat }, { in: channel });
    await ann.presses(/^They all agreed/);
    await ann.sees(isResult, { in: channel });
    await ann.presses(/^Again/, { in: channel });
    const asked = await ann.sees("Did everybody in these two pictures agree", { fresh: true });
    channel.denies("AttachFiles");
    await ann.presses("They all agreed: swap the faces", { on: asked });
    await ann.sees(lacking);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
    channel.allows("AttachFiles");
    await ann.presses("They all agreed: swap the faces");
    await expect.poll(async () => (await on.sandbox.ledger()).submissions.length).toBe(2);
  });

  it("stands in the way of nothing that one person alone sees", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    channel.denies("AttachFiles");
    await ann.uses("/make video", { image: cat, prompt: "waves", private: true }, { in: channel });
    expect((await ann.sees("costs about")).text).toContain("“waves”");
  });
});

/** Ann has installed the bot for herself, and asks for a video among others. */
async function amongPeople(render?: Renderer) {
  const at = await makingHarness({ ...(render && { render }) });
  const { on, ann, bob } = at;
  ann.installed = true;
  const talk = on.discord.privateChannel(ann, bob);
  await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: talk });
  await ann.presses(/^Make it/);
  return { ...at, talk, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

describe("a conversation of people, where Discord tells of no right to see it or to write", () => {
  it("takes results by the interaction", async () => {
    await using at = await amongPeople();
    expect(await at.bob.sees(isResult, { in: at.talk })).toMatchObject({ ephemeral: false });
  });

  it("takes none once that is over: it comes to whoever asked, and nobody is said to give a right", async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const copy = copyRenderer(tinyClip());
    await using at = await amongPeople(async (...task) => {
      await promise;
      await copy(...task);
    });
    const { on, ann, bob, talk } = at;
    await bob.sees(/^Photo to video\n/, { in: talk });
    on.discord.passTime(DISCORD.tokenMs);
    release();
    expect(await ann.sees(isResult)).toMatchObject({ channelId: ann.conversation.id });
    expect(
      ann
        .chat()
        .map(({ text }) => text)
        .join(),
    ).not.toContain("permission");
  });
});

/** Ann, who lets begin what costs little, in a server whose guild and channel are at hand. */
async function mentioning() {
  const at = await makingHarness({ source: "operator", settings: { REELAY_OPERATOR_KEY_FOR: "all" } });
  const { on, ann, channel } = at;
  const { guild } = channel;
  if (!guild) throw new Error("The channel is in no server.");
  await allowSpending(ann, "100");
  const mention = `<@${on.discord.applicationId}>`;
  const asks = (where = channel) => ann.says(`${mention} waves`, { in: where, files: [cat] });
  return { ...at, guild, asks, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

describe("a mention, which tells no rights, by somebody who lets begin without asking", () => {
  it("begins at once where the bot may post", async () => {
    await using at = await mentioning();
    const { on, ann, channel, asks } = at;
    await asks();
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("begins nothing where files may not be attached, and says so before any price; once that is given, a press goes on", async () => {
    await using at = await mentioning();
    const { on, ann, channel, asks } = at;
    channel.denies("AttachFiles");
    const sent = await asks();
    const refused = await ann.sees(lacking, { in: channel });
    expect(refused).toMatchObject({ replyTo: sent.id });
    expect(refused.text).toContain(`<#${channel.id}>`);
    expect(refused.text).not.toMatch(/costs|tokens/);
    expect(await submitted(on, 0)).toEqual([]);
    channel.allows("AttachFiles");
    await ann.presses("Try again", { on: refused });
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("is told in private what is missing where the bot may not write", async () => {
    await using at = await mentioning();
    const { on, ann, channel, asks } = at;
    channel.denies("SendMessages");
    await asks();
    const refused = await ann.sees(missing("Send Messages"));
    expect(refused.channelId).toBe(ann.conversation.id);
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("needs a right of its own in threads, whose channel's rules hold in them", async () => {
    await using at = await mentioning();
    const { on, ann, guild, channel, asks } = at;
    channel.denies("SendMessages");
    await asks(guild.thread(channel));
    await expect.poll(async () => (await on.sandbox.ledger()).submissions.length).toBe(1);
    channel.denies("SendMessagesInThreads");
    await asks(guild.thread(channel, { name: "later" }));
    await ann.sees(missing("Send Messages in Threads"));
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("counts the bot's roles, in the server and in the channel, where an administrator needs nothing more", async () => {
    await using at = await mentioning();
    const { on, ann, guild, channel, asks } = at;
    const { bot } = on.discord;
    const makers = guild.role("Makers", [{ user: bot }], May.AttachFiles);
    guild.everyone.permissions &= ~May.AttachFiles;
    channel.overwrites(makers, { deny: ["AttachFiles"] });
    await asks();
    await ann.sees(lacking, { in: channel });
    channel.overwrites(guild.everyone, { deny: ["AttachFiles"] });
    channel.overwrites(makers, { allow: ["AttachFiles"] });
    await asks();
    await ann.sees(isResult, { in: channel });
    const closed = guild.channel({ name: "closed", denies: ["ViewChannel", "SendMessages"] });
    guild.role("Admins", [{ user: bot }], May.Administrator);
    await asks(closed);
    await ann.sees(isResult, { in: closed });
    expect(await submitted(on, 2)).toEqual(["waves", "waves"]);
  });

  it("begins nothing while the bot is timed out", async () => {
    await using at = await mentioning();
    const { on, ann, guild, asks } = at;
    guild.timesOut(on.discord.bot, Date.now() + 24 * 3_600_000);
    await asks();
    await ann.sees(missing("Send Messages"));
    expect(await submitted(on, 0)).toEqual([]);
  });

  it.each(["/guilds/{guild_id}", "/guilds/{guild_id}/members/{user_id}"])(
    "asks for a press where Discord does not tell (%s), which tells the rights",
    async (route) => {
      await using at = await mentioning();
      const { on, ann, channel, asks } = at;
      on.discord.fails(`GET ${route}`, { kind: "internal" }, 1_000);
      await asks();
      const offer = await ann.sees("costs about", { in: channel });
      expect(await submitted(on, 0)).toEqual([]);
      channel.denies("AttachFiles");
      await ann.presses(/^Make it/, { on: offer });
      const refused = await ann.sees(lacking, { in: channel });
      expect(await submitted(on, 0)).toEqual([]);
      channel.allows("AttachFiles");
      await ann.presses("Try again", { on: refused });
      await ann.sees(isResult, { in: channel });
      expect(await submitted(on, 1)).toEqual(["waves"]);
    },
  );
});
