import type { RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import { missingAccess } from "../refusal.ts";
import type { RestRequest, Routes } from "../request.ts";
import type { World } from "../world.ts";

type Commands = RestRequest<RESTPutAPIApplicationCommandsJSONBody>;

const COMMANDS = "/applications/{application_id}/commands";
const GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands";

/** The bot itself, and its commands. */
export const applications: Routes = {
  "GET /users/@me": ({ bot }) => ({ ...bot, mfa_enabled: false, locale: "en-US" }),
  "GET /applications/@me": (world) => application(world),
  "GET /oauth2/applications/@me": (world) => application(world),
  [`GET ${COMMANDS}`]: ({ commands }) => commands.of(),
  [`PUT ${COMMANDS}`]: ({ commands }, { body }: Commands) => commands.replace(body),
  [`GET ${GUILD_COMMANDS}`]: (world, { params }) => world.commands.of(guildOf(world, params)),
  [`PUT ${GUILD_COMMANDS}`]: (world, { params, body }: Commands) =>
    world.commands.replace(body, guildOf(world, params)),
};

function guildOf({ guilds }: World, params: Readonly<Record<string, string>>): string {
  const guild = guilds.get(params["guild_id"] ?? "");
  if (!guild?.hasBot) throw missingAccess();
  return guild.id;
}

const application = ({ applicationId, bot, publicKey, endpoint, guilds }: World) => ({
  id: applicationId,
  name: bot.global_name,
  icon: null,
  description: "",
  type: null,
  bot,
  verify_key: publicKey,
  flags: 0,
  flags_new: "0",
  redirect_uris: [],
  interactions_endpoint_url: endpoint ?? null,
  role_connections_verification_url: null,
  owner: bot,
  approximate_guild_count: guilds.size,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  explicit_content_filter: 0,
  team: null,
  eligible_oauth2_scopes: [],
  bot_public: true,
  bot_require_code_grant: false,
});
