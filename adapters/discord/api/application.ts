import { type APIApplication, type REST, Routes } from "discord.js";
import { ConfigError } from "../../../src/common/config-error.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { persist } from "../../../src/common/time.ts";
import { meaningOf, presentable } from "./errors.ts";

/** How something goes on while Discord is away. */
export interface Persistence {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Does what needs Discord, as often as it takes.
 * @throws ConfigError for a token that Discord does not know; the signal's reason
 */
export function persistently<T>(attempt: () => Promise<T>, { log, signal }: Persistence): Promise<T> {
  return persist(attempt, {
    signal,
    onFailure(error, pauseMs) {
      const err = presentable(error);
      if (meaningOf(err) === "unauthorized") throw unknownToken();
      log.warn({ err, pauseMs }, "Discord cannot be reached; trying again");
    },
  });
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

function unknownToken(): ConfigError {
  return new ConfigError([
    {
      setting: "DISCORD_BOT_TOKEN",
      found: "a token that Discord does not know",
      wanted: "the bot's token from Discord's developer portal",
    },
  ]);
}
