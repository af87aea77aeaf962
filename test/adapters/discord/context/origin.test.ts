import { ChannelType, InteractionContextType, InteractionType } from "discord.js";
import { describe, expect, it } from "vitest";
import type { AnyInteraction } from "../../../../adapters/discord/context/interaction.ts";
import type { Services } from "../../../../adapters/discord/context/context.ts";
import { originOf } from "../../../../adapters/discord/context/origin.ts";

/** A core that nothing is set up in, and a Discord that knows two channels. */
function servicesOf() {
  const remembered = new Map<string, unknown>();
  const asked: string[] = [];
  const channel = async (id: string) => {
    asked.push(id);
    if (id === "30") throw new Error("Discord is down.");
    return { id, type: ChannelType.GuildForum, nsfw: id === "18" };
  };
  const services = {
    intake: { preferences: async () => ({ locale: "en", spendBelow: null, stated: [] }) },
    api: { channel },
    host: { log: { warn: () => {} } },
    memory: {
      get: async (key: string) => remembered.get(key),
      set: async (key: string, value: unknown) => void remembered.set(key, value),
    },
  };
  return { services: services as unknown as Services, asked };
}

/** What a member does in a channel of a server, as far as it says where. @param others what differs elsewhere */
function interactionIn(channel: object, others: object = {}): AnyInteraction {
  const interaction = {
    id: "5",
    type: InteractionType.ApplicationCommand,
    token: "token",
    guild_id: "1",
    channel,
    context: InteractionContextType.Guild,
    member: { user: { id: "9" }, permissions: "0" },
    authorizing_integration_owners: { 0: "1" },
    attachment_size_limit: 100,
    ...others,
  };
  return interaction as unknown as AnyInteraction;
}

const roomOf = async (channel: object) =>
  (await originOf(interactionIn(channel), servicesOf().services))?.room;

describe("the room that a server's rules name", () => {
  it.each([
    ["a channel's own, not its category's", { id: "3", type: ChannelType.GuildText, parent_id: "2" }, "3"],
    ["a thread's channel", { id: "4", type: ChannelType.PublicThread, parent_id: "3" }, "3"],
    ["a thread's own where Discord does not say more", { id: "4", type: ChannelType.PrivateThread }, "4"],
  ])("is %s", async (_what, channel, room) => {
    expect(await roomOf(channel)).toBe(room);
  });
});

const thread = (parent: string) => ({ id: "4", type: ChannelType.PublicThread, parent_id: parent });

describe("who reads along", () => {
  it.each([
    ["a text channel", { id: "3", type: ChannelType.GuildText, nsfw: true }, "age-restricted"],
    ["a voice channel", { id: "3", type: ChannelType.GuildVoice, nsfw: true }, "age-restricted"],
    [
      "an announcement channel",
      { id: "3", type: ChannelType.GuildAnnouncement, nsfw: true },
      "age-restricted",
    ],
    ["a stage", { id: "3", type: ChannelType.GuildStageVoice, nsfw: true }, "age-restricted"],
    ["an open voice channel", { id: "3", type: ChannelType.GuildVoice, nsfw: false }, "group"],
    ["a thread of an age-restricted channel", thread("18"), "age-restricted"],
    ["a thread of an open channel", thread("3"), "group"],
    ["a thread of a channel that nobody tells of", thread("30"), "group"],
  ])("%s is for %j", async (_what, channel, audience) => {
    const { services } = servicesOf();
    expect((await originOf(interactionIn(channel), services))?.audience).toBe(audience);
  });

  it("is asked once for all threads of a channel", async () => {
    const { services, asked } = servicesOf();
    for (const _ of [1, 2]) await originOf(interactionIn(thread("18")), services);
    expect(asked).toEqual(["18"]);
  });

  it("is asked again where Discord gave no answer", async () => {
    const { services, asked } = servicesOf();
    for (const _ of [1, 2]) await originOf(interactionIn(thread("30")), services);
    expect(asked).toEqual(["30", "30"]);
  });
});

const presentAt = async (type: ChannelType, others: object) =>
  (await originOf(interactionIn({ id: "3", type }, others), servicesOf().services))?.address.present;

describe("the bot itself", () => {
  const { BotDM, PrivateChannel } = InteractionContextType;
  const alone = { guild_id: undefined, member: undefined, user: { id: "9" } };

  it.each([
    ["in a server that it was invited to", ChannelType.GuildText, { 0: "1", 1: "9" }, {}, true],
    ["not where it is only somebody's own app", ChannelType.GuildText, { 1: "9" }, {}, false],
    ["in its own direct messages", ChannelType.DM, { 0: "0" }, { ...alone, context: BotDM }, true],
    ["there also as somebody's own app", ChannelType.DM, { 1: "9" }, { ...alone, context: BotDM }, true],
    ["not among people", ChannelType.GroupDM, { 1: "9" }, { ...alone, context: PrivateChannel }, false],
    ["not there, whoever owns it", ChannelType.DM, { 0: "0" }, { ...alone, context: PrivateChannel }, false],
  ])("is %s", async (_where, type, owners, others, present) => {
    expect(await presentAt(type, { authorizing_integration_owners: owners, ...others })).toBe(present);
  });
});
