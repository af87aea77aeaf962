import { type RESTPutAPIApplicationCommandsJSONBody, Routes } from "discord.js";
import { persist } from "../../src/common/time.ts";
import type { Persistence } from "../kit/pipeline/connection.ts";
import { publishOnce } from "../kit/pipeline/publish.ts";
import type { Services } from "./context/context.ts";
import { meaningOf, presentably } from "./api/errors.ts";

/**
 * Registers the commands everywhere, in place of all that were registered before, as often as it takes. Discord shows
 * changed commands late, and takes 200 new ones a day only (interactions/application-commands).
 */
export async function publishCommands(
  { api, memory }: Pick<Services, "api" | "memory">,
  commands: RESTPutAPIApplicationCommandsJSONBody,
  { log, signal }: Persistence,
): Promise<void> {
  const { applicationId, rest } = api;
  const register = () =>
    presentably(
      publishOnce(memory, [applicationId, commands], () =>
        rest.put(Routes.applicationCommands(applicationId), { body: commands }),
      ),
    );
  await persist(register, {
    signal,
    onFailure(err, pauseMs) {
      if (meaningOf(err) !== "down") throw err;
      log.warn({ err, pauseMs }, "Discord's commands could not be published; trying again");
    },
  }).catch((err: unknown) => {
    if (!signal.aborted) log.error({ err }, "Discord does not take the commands");
  });
}
