import { ChannelType, InteractionContextType, InteractionType } from "discord.js";
import { describe, expect, it } from "vitest";
import type { AnyInteraction } from "../../../../adapters/discord/context/interaction.ts";
import type { Services } from "../../../../adapters/discord/context/context.ts";
import { originOf } from "../../../../adapters/discord/context/origin.ts";

const services = { intake: { preferences: async () => ({ locale: "en", spendBelow: null, stated: [] }) } };

/** What a member does in a channel of a server, as far as it says where. */
function interactionIn(channel: object): AnyInteraction {
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
  };
  return interaction as unknown as AnyInteraction;
}

const roomOf = async (channel: object) =>
  (await originOf(interactionIn(channel), services as unknown as Services))?.room;

describe("the room that a server's rules name", () => {
  it.each([
    ["a channel's own, not its category's", { id: "3", type: ChannelType.GuildText, parent_id: "2" }, "3"],
    ["a thread's channel", { id: "4", type: ChannelType.PublicThread, parent_id: "3" }, "3"],
    ["a thread's own where Discord does not say more", { id: "4", type: ChannelType.PrivateThread }, "4"],
  ])("is %s", async (_what, channel, room) => {
    expect(await roomOf(channel)).toBe(room);
  });
});
