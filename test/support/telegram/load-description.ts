import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInDescription } from "./built-in.ts";
import type { ApiDescription } from "./description.ts";

/**
 * Loads the official description where `REELAY_TEST_SPECS` names its folder, else the short one that is built
 * in, and says so.
 */
export async function loadDescription(folder = process.env["REELAY_TEST_SPECS"]): Promise<ApiDescription> {
  if (folder) {
    return JSON.parse(await readFile(join(folder, "telegram-bot-api.json"), "utf8")) as ApiDescription;
  }
  tellOnce();
  return builtInDescription();
}

let told = false;

function tellOnce(): void {
  if (told) return;
  told = true;
  process.stdout.write(
    "REELAY_TEST_SPECS is not set: the check of Telegram calls against the official description is skipped.\n",
  );
}
