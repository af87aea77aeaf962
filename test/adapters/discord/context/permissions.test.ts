import { ChannelType, OverwriteType, PermissionFlagsBits as May } from "discord.js";
import { describe, expect, it } from "vitest";
import { lackingIn, permissionsOf } from "../../../../adapters/discord/context/permissions.ts";

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

const NOW = Date.parse("2026-01-01T00:00:00Z");
const { ViewChannel: SEE, SendMessages: WRITE, AttachFiles: ATTACH, ReadMessageHistory: READ } = May;

/** A server where everybody may see and write, and two roles that the bot (9) has: one attaches, one does not. */
const guild = (owner = "1") => ({
  id: "100",
  owner_id: owner,
  roles: [
    { id: "100", permissions: String(SEE | WRITE) },
    { id: "201", permissions: String(ATTACH) },
    { id: "202", permissions: "0" },
    { id: "300", permissions: String(May.Administrator) },
  ] as never,
});

const me = (roles = ["201", "202"], until: string | null = null) => ({
  user: { id: "9" } as never,
  roles,
  communication_disabled_until: until,
});

const overwrite = (id: string, { allow = 0n, deny = 0n }) => ({
  id,
  type: OverwriteType.Role,
  allow: String(allow),
  deny: String(deny),
});

describe("what a member may do in a channel", () => {
  it("is what everybody and all their roles may, and no role of others'", () => {
    expect(permissionsOf(guild(), me(), [], NOW)).toBe(SEE | WRITE | ATTACH);
    expect(permissionsOf(guild(), me([]), [], NOW)).toBe(SEE | WRITE);
  });

  it("is changed by the channel for everybody, then for their roles together, then for them", () => {
    const everybody = overwrite("100", { allow: READ, deny: WRITE });
    const roles = [overwrite("201", { deny: ATTACH | READ }), overwrite("202", { allow: ATTACH })];
    const others = [overwrite("203", { allow: WRITE }), overwrite("8", { deny: SEE })];
    const mine = overwrite("9", { allow: WRITE, deny: SEE });
    const at = (...those: ReturnType<typeof overwrite>[]) => permissionsOf(guild(), me(), those, NOW);
    expect(at(everybody)).toBe(SEE | ATTACH | READ);
    expect(at(...roles.toReversed(), everybody, ...others)).toBe(SEE | ATTACH);
    expect(at(mine, ...roles, everybody)).toBe(ATTACH | WRITE);
  });

  it("is everything to the owner and to administrators, whatever the channel says, also while they are timed out", () => {
    const closed = [overwrite("100", { deny: SEE }), overwrite("9", { deny: ATTACH })];
    const later = new Date(NOW + 1).toISOString();
    for (const [server, member] of [
      [guild("9"), me([], later)],
      [guild(), me(["300"], later)],
    ] as const)
      expect(permissionsOf(server, member, closed, NOW) & (SEE | WRITE | ATTACH)).toBe(SEE | WRITE | ATTACH);
  });

  it("is only to see and to read while they are timed out", () => {
    const reading = [overwrite("9", { allow: READ })];
    expect(permissionsOf(guild(), me(["201"], new Date(NOW + 1).toISOString()), reading, NOW)).toBe(
      SEE | READ,
    );
    const over = me(["201"], new Date(NOW).toISOString());
    expect(permissionsOf(guild(), over, reading, NOW)).toBe(SEE | WRITE | ATTACH | READ);
  });
});
