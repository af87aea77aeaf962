import { type RESTPutAPIApplicationCommandsJSONBody, Routes } from "discord.js";
import { createHash } from "node:crypto";
import { persist } from "../../src/time.ts";
import type { Persistence } from "./api/application.ts";
import type { Services } from "./context/context.ts";
import { meaningOf, presentable } from "./api/errors.ts";

const KEY = "published";

/**
 * Registers the commands everywhere, in place of all that were registered before, as often as it takes. Discord shows
 * changed commands late, and takes 200 new ones a day only (interactions/application-commands): what was registered last
 * is remembered, and nothing is sent when it is the same.
 */
export async function publishCommands(
  { api, memory }: Pick<Services, "api" | "memory">,
  commands: RESTPutAPIApplicationCommandsJSONBody,
  { log, signal }: Persistence,
): Promise<void> {
  const { applicationId, rest } = api;
  const digest = createHash("sha256")
    .update(JSON.stringify([applicationId, commands]))
    .digest("hex");
  const register = async () => {
    if ((await memory.get(KEY)) === digest) return;
    await rest.put(Routes.applicationCommands(applicationId), { body: commands });
    await memory.set(KEY, digest);
  };
  await persist(register, {
    signal,
    onFailure(error, pauseMs) {
      const err = presentable(error);
      if (meaningOf(err) !== "down") throw err;
      log.warn({ err, pauseMs }, "Discord's commands could not be published; trying again");
    },
  }).catch((err: unknown) => {
    if (!signal.aborted) log.error({ err }, "Discord does not take the commands");
  });
}
