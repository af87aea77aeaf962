import { type APIApplication, type REST, Routes } from "discord.js";
import { ConfigError } from "../../../src/config.ts";
import type { Logger } from "../../../src/telemetry.ts";
import { persist } from "../../../src/time.ts";
import { meaningOf, presentable } from "./errors.ts";

/** How the start goes on while Discord is away. */
export interface Persistence {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * The id of the application that the token is of; asks as often as it takes.
 * @throws ConfigError for a token that Discord does not know
 */
export async function findApplication(rest: REST, { log, signal }: Persistence): Promise<string> {
  const { id } = await persist(async () => (await rest.get(Routes.currentApplication())) as APIApplication, {
    signal,
    onFailure(error, pauseMs) {
      const err = presentable(error);
      if (meaningOf(err) === "unauthorized") throw unknownToken();
      log.warn({ err, pauseMs }, "Discord cannot be reached; trying again");
    },
  });
  return id;
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
