import { join } from "node:path";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { Check } from "../../seam/surface/runtime.ts";

/** Where secrets come from. */
interface SecretPlace {
  /** What stands in `REELAY_SECRET`. */
  readonly secret: string | undefined;
  /** The data folder. */
  readonly data: string;
}

type Counting = Pick<Vault, "countUnreadable">;

/** What the doctor says of stored keys that none of the secrets opens: nothing where there are none of these. */
export async function examineSecret(place: SecretPlace, vault: Counting): Promise<readonly Check[]> {
  const unreadable = await vault.countUnreadable();
  if (unreadable === 0) return [];
  const found = `stored keys that cannot be read: ${unreadable}`;
  return [{ name: "secret", ok: false, found, advice: adviceFor(place) }];
}

/** Says once, where a server starts, that stored keys cannot be read: it runs without them. Never throws. */
export async function warnOfUnreadable(
  place: SecretPlace,
  vault: Counting,
  log: Pick<Logger, "warn">,
): Promise<void> {
  try {
    const unreadable = await vault.countUnreadable();
    if (unreadable > 0) log.warn({ unreadable }, `Stored keys cannot be read. ${adviceFor(place)}`);
  } catch (err) {
    log.warn({ err }, "Whether stored keys can be read could not be found out");
  }
}

/** The old secret goes beside the present one, which other keys may have been stored under since. */
function adviceFor({ secret, data }: SecretPlace): string {
  const file = join(data, "secret");
  const [how, where] =
    secret === undefined
      ? [`Add the secret that they were stored under to ${file}, as its last line`, "that file in a backup"]
      : ["Set REELAY_SECRET to new,old, where old is the secret that they were stored under", file];
  return `${how}: the REELAY_SECRET of before, or what stands in ${where}. Where it is lost for good, connect the keys again.`;
}
