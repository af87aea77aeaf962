import { ChannelType, InteractionContextType, InteractionType } from "discord.js";
import { describe, expect, it } from "vitest";
import type { AnyDeed, Office } from "../../../adapters/discord/context/context.ts";
import { originOf } from "../../../adapters/discord/context/origin.ts";

const office = { intake: { preferences: async () => ({ locale: "en", spendBelow: null, stated: [] }) } };

/** What a member does in a channel of a server, as far as it says where. */
function deedIn(channel: object): AnyDeed {
  const deed = {
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
  return deed as unknown as AnyDeed;
}

const roomOf = async (channel: object) =>
  (await originOf(deedIn(channel), office as unknown as Office))?.room;

describe("the room that a server's rules name", () => {
  it.each([
    ["a channel's own, not its category's", { id: "3", type: ChannelType.GuildText, parent_id: "2" }, "3"],
    ["a thread's channel", { id: "4", type: ChannelType.PublicThread, parent_id: "3" }, "3"],
    ["a thread's own where Discord does not say more", { id: "4", type: ChannelType.PrivateThread }, "4"],
  ])("is %s", async (_what, channel, room) => {
    expect(await roomOf(channel)).toBe(room);
  });
});
