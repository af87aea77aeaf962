import { type APIApplication, type REST, Routes } from "discord.js";
import { ConfigError } from "../../../src/common/config-error.ts";
import {
  type Persistence,
  persistently as platformPersistently,
  type PlatformFacts,
} from "../../kit/pipeline/connection.ts";
import { meaningOf, presentably } from "./errors.ts";

/** Discord, as its connection is told of. */
export const PLATFORM: PlatformFacts = {
  name: "discord",
  title: "Discord",
  token: "the bot's token from Discord's developer portal",
  tokenSetting: "DISCORD_BOT_TOKEN",
  isUnknownToken: (error) => meaningOf(error) === "unauthorized",
  rootSetting: "DISCORD_API_ROOT",
};

/** Does what needs Discord, as often as it takes. Errors as for the kit's. */
export function persistently<T>(attempt: () => Promise<T>, persistence: Persistence): Promise<T> {
  return platformPersistently(PLATFORM, () => presentably(attempt()), persistence);
}

/** Says once what trying again would not help: the other platforms are there without Discord. */
export const tellGivenUp =
  ({ log, signal }: Persistence) =>
  (err: unknown) => {
    if (signal.aborted) return;
    if (!(err instanceof ConfigError)) throw err;
    log.error("Discord does not know the bot's token: set DISCORD_BOT_TOKEN, and start again");
  };

/** The id of the application that the token is of. Errors as {@link persistently}. */
export async function findApplication(rest: REST, persistence: Persistence): Promise<string> {
  const ask = async () => (await rest.get(Routes.currentApplication())) as APIApplication;
  return (await persistently(ask, persistence)).id;
}
