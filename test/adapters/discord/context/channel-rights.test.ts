import { ChannelType, PermissionFlagsBits as May } from "discord.js";
import { describe, expect, it } from "vitest";
import { Refused } from "../../../../adapters/discord/api/errors.ts";
import { ChannelRights } from "../../../../adapters/discord/context/channel-rights.ts";

const ALL = May.ViewChannel | May.SendMessages | May.SendMessagesInThreads | May.AttachFiles;

/** A server's channels, of which thread 4 is in 3, where everybody may do something; counts what is asked. */
function server() {
  const now = { at: 1_000_000, granted: ALL, fails: false, asked: 0 };
  const rights = new ChannelRights(
    {
      guild: async (id) => {
        now.asked += 1;
        if (now.fails) throw new Refused(403, 50_001, "Missing Access");
        return { id, owner_id: "1", roles: [{ id, permissions: String(now.granted) }] } as never;
      },
      membership: async () => ({ user: { id: "9" }, roles: [] }) as never,
      channel: async (id) =>
        (id === "4"
          ? { id, type: ChannelType.PublicThread, parent_id: "3" }
          : {
              id,
              type: ChannelType.GuildText,
              permission_overwrites:
                id === "3" ? [{ id: "100", allow: "0", deny: String(May.AttachFiles) }] : [],
            }) as never,
    },
    () => now.at,
  );
  return { now, lacking: (channel: string) => rights.lackingIn({ guild: "100", channel }) };
}

describe("what the bot may not do in a channel that only a message named", () => {
  it("is asked once in ten seconds where nothing is missing, and each time where something is", async () => {
    const { now, lacking } = server();
    expect([await lacking("5"), await lacking("5"), now.asked]).toEqual([undefined, undefined, 1]);
    now.granted &= ~May.AttachFiles;
    now.at += 9_999;
    expect(await lacking("5")).toBeUndefined();
    now.at += 1;
    expect([await lacking("5"), await lacking("5"), now.asked]).toEqual(["attach_files", "attach_files", 3]);
    now.granted = ALL;
    expect(await lacking("5")).toBeUndefined();
  });

  it("is what the channel of a thread says", async () => {
    expect(await server().lacking("4")).toBe("attach_files");
  });

  it("is unknown where Discord does not tell, and asked again", async () => {
    const { now, lacking } = server();
    now.fails = true;
    expect(await lacking("5")).toBe("unknown");
    now.fails = false;
    expect(await lacking("5")).toBeUndefined();
  });

  it("is remembered of a thousand channels", async () => {
    const { now, lacking } = server();
    for (let channel = 1_000; channel <= 2_000; channel += 1) await lacking(String(channel));
    now.asked = 0;
    for (const channel of ["2000", "1001", "1000"]) await lacking(channel);
    expect(now.asked).toBe(1);
  });
});
