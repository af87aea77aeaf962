import { type RESTPutAPIApplicationCommandsJSONBody, Routes } from "discord.js";
import { createHash } from "node:crypto";
import type { Office } from "./desk.ts";

const KEY = "published";

/**
 * Registers the commands everywhere, in place of all that were registered before. Discord shows changed commands late,
 * and takes 200 new ones a day only (interactions/application-commands): what was registered last is remembered, and
 * nothing is sent when it is the same.
 */
export async function publishCommands(
  { api, memory }: Pick<Office, "api" | "memory">,
  commands: RESTPutAPIApplicationCommandsJSONBody,
): Promise<void> {
  const { applicationId, rest } = api;
  const digest = createHash("sha256")
    .update(JSON.stringify([applicationId, commands]))
    .digest("hex");
  if ((await memory.get(KEY)) === digest) return;
  await rest.put(Routes.applicationCommands(applicationId), { body: commands });
  await memory.set(KEY, digest);
}
