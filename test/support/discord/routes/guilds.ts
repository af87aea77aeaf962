import { missingAccess, unknownGuild, unknownMember } from "../refusal.ts";
import type { RestRequest, Routes } from "../request.ts";
import type { Guild } from "../guild.ts";
import type { World } from "../world.ts";

/** What the bot asks of servers. */
export const guilds: Routes = {
  "GET /guilds/{guild_id}": (world, { params }) => joined(world, params),

  "GET /guilds/{guild_id}/channels": (world, { params }) => [...joined(world, params).channels.values()],

  "GET /guilds/{guild_id}/members/{user_id}": (world, { params }) => {
    const guild = joined(world, params);
    const id = params["user_id"] ?? "";
    const user = id === world.bot.id ? world.bot : guild.members.get(id);
    if (!user) throw unknownMember();
    return guild.member(user);
  },
};

function joined({ guilds }: World, params: RestRequest["params"]): Guild {
  const guild = guilds.get(params["guild_id"] ?? "");
  if (!guild) throw unknownGuild();
  if (!guild.hasBot) throw missingAccess();
  return guild;
}
