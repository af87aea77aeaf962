import {
  type APIApplication,
  OAuth2Routes,
  OAuth2Scopes,
  PermissionFlagsBits as May,
  Routes,
} from "discord.js";
import type { Check } from "../../src/seam/surface/runtime.ts";
import type { Finding, Remark } from "../../src/seam/surface/setup.ts";
import type { DiscordConfig } from "../../src/seam/config.ts";
import { lookAtPlatform } from "../kit/pipeline/connection.ts";
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

/** Whether Discord knows the bot, and whether interactions come the way they are waited for; with the link that invites the bot. */
export function lookAtDiscord(config: DiscordConfig): Promise<Finding> {
  return lookAtPlatform(PLATFORM, async (signal) => {
    const asked = presentably(restFor(config).get(Routes.currentApplication(), { signal }));
    const application = (await asked) as APIApplication;
    return { ...judge(config, application), link: invitation(application.id) };
  });
}

/** Discord sends interactions one way only: to an address, where one was entered, else over the gateway. */
function judge(
  { publicKey }: DiscordConfig,
  application: APIApplication,
): Omit<Check, "name"> & { readonly said: Remark } {
  const { id, name, verify_key: key, interactions_endpoint_url: url } = application;
  const params = { name, id, key, url: url ?? "", path: ENDPOINT_PATH };
  if (publicKey === undefined && url)
    return {
      ok: false,
      found: `${name}, whose interactions Discord sends to ${url}, and not over the gateway`,
      advice: `Remove that address in the developer portal, or set DISCORD_PUBLIC_KEY to ${key}.`,
      said: { key: "setup.discord.sent_elsewhere", params },
    };
  if (publicKey === undefined)
    return {
      ok: true,
      found: `${name}, over the gateway; invite it by ${invitation(id)}`,
      said: { key: "setup.discord.found", params },
    };
  if (publicKey !== key)
    return {
      ok: false,
      found: `${name}, whose public key is not the one that is set`,
      advice: `Set DISCORD_PUBLIC_KEY to ${key}.`,
      said: { key: "setup.discord.other_key", params },
    };
  if (!url)
    return {
      ok: false,
      found: `${name}, whose interactions Discord sends over the gateway, although DISCORD_PUBLIC_KEY is set`,
      advice: `Enter Reelay's address with ${ENDPOINT_PATH} behind it in the developer portal, or remove DISCORD_PUBLIC_KEY.`,
      said: { key: "setup.discord.no_address", params },
    };
  return {
    ok: true,
    found: `${name}, by ${url}; invite it by ${invitation(id)}`,
    said: { key: "setup.discord.found", params },
  };
}

/** topics/oauth2, "Bot Authorization Flow". */
function invitation(id: string): string {
  const url = new URL(OAuth2Routes.authorizationURL);
  url.searchParams.set("client_id", id);
  url.searchParams.set("scope", `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`);
  url.searchParams.set("permissions", String(PERMISSIONS));
  return url.href;
}
