import { ChannelType, PermissionFlagsBits as May } from "discord.js";
import { describe, expect, it } from "vitest";
import { lackingIn } from "../../../../adapters/discord/context/permissions.ts";

const ALL = May.ViewChannel | May.SendMessages | May.SendMessagesInThreads | May.AttachFiles;

/** What is lacking in a channel, given what is granted there. */
const lacking = (granted: bigint, type: ChannelType = ChannelType.GuildText, where = {}) =>
  lackingIn(
    { app_permissions: String(granted), channel: { id: "3", type } as never },
    { present: true, inConversation: false, ...where },
  );

describe("what the bot may not do where something is asked", () => {
  it.each([
    ["nothing, with all rights", ALL, undefined],
    ["to attach files", ALL & ~May.AttachFiles, "attach_files"],
    ["to send messages", ALL & ~May.SendMessages, "send_messages"],
    ["to see the channel, before the rest", 0n, "view_channel"],
  ])("is %s", (_what, granted, right) => {
    expect(lacking(granted)).toBe(right);
  });

  it("is in threads what threads have rights of their own for", () => {
    const type = ChannelType.PublicThread;
    expect(lacking(ALL & ~May.SendMessages, type)).toBeUndefined();
    expect(lacking(ALL & ~May.SendMessagesInThreads, type)).toBe("send_messages_in_threads");
  });

  it("is nothing in direct messages, and where only somebody's own app is", () => {
    expect(lacking(0n, ChannelType.DM, { inConversation: true })).toBeUndefined();
    expect(lacking(0n, ChannelType.GuildText, { present: false })).toBeUndefined();
  });
});
