import {
  type APIApplication,
  OAuth2Routes,
  OAuth2Scopes,
  PermissionFlagsBits as May,
  Routes,
} from "discord.js";
import type { Check } from "../../src/chat/runtime.ts";
import type { DiscordConfig } from "../../src/config.ts";
import { restFor } from "./api/rest.ts";
import { ENDPOINT_PATH } from "./endpoint.ts";
import { meaningOf, presentable } from "./api/errors.ts";

/** How long the doctor waits for Discord, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** What the bot does of its own in a channel: results there when an interaction's token is dead. */
const PERMISSIONS =
  May.ViewChannel |
  May.SendMessages |
  May.SendMessagesInThreads |
  May.ReadMessageHistory |
  May.AttachFiles |
  May.EmbedLinks;

/** Whether Discord knows the bot, and whether interactions come the way they are waited for. */
export async function examineDiscord(config: DiscordConfig): Promise<Check> {
  const name = "discord";
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const application = (await restFor(config).get(Routes.currentApplication(), {
      signal,
    })) as APIApplication;
    return { name, ...judge(config, application) };
  } catch (error) {
    const known = presentable(error);
    return meaningOf(known) === "unauthorized"
      ? {
          name,
          ok: false,
          found: "Discord does not know the token",
          advice: "Set DISCORD_BOT_TOKEN to the bot's token from Discord's developer portal.",
        }
      : {
          name,
          ok: false,
          found: known.message,
          advice: "Check the network of this machine, and DISCORD_API_ROOT if it is set.",
        };
  }
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
