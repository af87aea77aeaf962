import {
  type APIApplication,
  OAuth2Routes,
  OAuth2Scopes,
  PermissionFlagsBits as May,
  Routes,
} from "discord.js";
import type { Check } from "../../src/seam/surface/runtime.ts";
import type { DiscordConfig } from "../../src/seam/config.ts";
import { examinePlatform } from "../kit/pipeline/connection.ts";
import { PLATFORM } from "./api/application.ts";
import { restFor } from "./api/rest.ts";
import { ENDPOINT_PATH } from "./endpoint.ts";
import { presentably } from "./api/errors.ts";

/** What the bot does of its own in a channel: results there when an interaction's token is dead. */
const PERMISSIONS =
  May.ViewChannel |
  May.SendMessages |
  May.SendMessagesInThreads |
  May.ReadMessageHistory |
  May.AttachFiles |
  May.EmbedLinks;

/** Whether Discord knows the bot, and whether interactions come the way they are waited for. */
export function examineDiscord(config: DiscordConfig): Promise<Check> {
  return examinePlatform(PLATFORM, async (signal) => {
    const asked = presentably(restFor(config).get(Routes.currentApplication(), { signal }));
    return judge(config, (await asked) as APIApplication);
  });
}

/** Discord sends interactions one way only: to an address, where one was entered, else over the gateway. */
function judge({ publicKey }: DiscordConfig, application: APIApplication): Omit<Check, "name"> {
  const { id, name, verify_key, interactions_endpoint_url: url } = application;
  if (publicKey === undefined && url)
    return {
      ok: false,
      found: `${name}, whose interactions Discord sends to ${url}, and not over the gateway`,
      advice: `Remove that address in the developer portal, or set DISCORD_PUBLIC_KEY to ${verify_key}.`,
    };
  if (publicKey === undefined) return { ok: true, found: `${name}, over the gateway; ${invitation(id)}` };
  if (publicKey !== verify_key)
    return {
      ok: false,
      found: `${name}, whose public key is not the one that is set`,
      advice: `Set DISCORD_PUBLIC_KEY to ${verify_key}.`,
    };
  if (!url)
    return {
      ok: false,
      found: `${name}, whose interactions Discord sends over the gateway, although DISCORD_PUBLIC_KEY is set`,
      advice: `Enter Reelay's address with ${ENDPOINT_PATH} behind it in the developer portal, or remove DISCORD_PUBLIC_KEY.`,
    };
  return { ok: true, found: `${name}, by ${url}; ${invitation(id)}` };
}

/** topics/oauth2, "Bot Authorization Flow". */
function invitation(id: string): string {
  const url = new URL(OAuth2Routes.authorizationURL);
  url.searchParams.set("client_id", id);
  url.searchParams.set("scope", `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`);
  url.searchParams.set("permissions", String(PERMISSIONS));
  return `invite it by ${url.href}`;
}
