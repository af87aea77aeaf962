import { existsSync } from "node:fs";
import { join } from "node:path";
import { ReelayError } from "../../common/errors.ts";
import { damageOf, isDamage } from "../../infrastructure/storage/stored-file.ts";
import type { Check } from "../../seam/surface/runtime.ts";

/** The database of a sandbox's folder. */
const databaseIn = (folder: string) => join(folder, "sandbox.db");

/** What to do about a sandbox that is damaged: nothing that was paid for is in it. */
export const anew = (folder: string) =>
  `Stop Reelay, remove the folder ${folder}, which has only play money and what was made with it, and start Reelay again.`;

/** What a sandbox's start failed of: `sandbox_damaged` where that is its database, else as it was. */
export function asSandboxError(error: unknown, folder: string): unknown {
  if (!isDamage(error)) return error;
  return new ReelayError("sandbox_damaged", { path: databaseIn(folder), folder }, { cause: error });
}

/** What is wrong with the database of a sandbox's folder; undefined where nothing is, or where it cannot be told. */
export function examineSandbox(folder: string): Check | undefined {
  const path = databaseIn(folder);
  if (!existsSync(path) || !isDamaged(path)) return undefined;
  return { name: "service", ok: false, found: `sandbox: ${path} is damaged`, advice: anew(folder) };
}

function isDamaged(path: string): boolean {
  try {
    return damageOf(path).length > 0;
  } catch (error) {
    return isDamage(error);
  }
}
