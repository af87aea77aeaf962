import { z } from "zod";
import type { UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Ledger } from "../jobs/ledger.ts";
import { wake } from "../jobs/wake.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { Account } from "../accounts/accounts.ts";
import { insteadOf } from "../../common/said-key.ts";

/** Keys are opaque (section 5): anything printable without spaces may be one. */
const KEY = /^[\x21-\x7e]{8,512}$/;

/** The schema of a form that a key is given in. */
export const keySchema = z.strictObject({
  key: z
    .string()
    .trim()
    .superRefine((given, context) => {
      const wanted = insteadOf(given);
      if (wanted !== undefined) context.addIssue({ code: "custom", message: wanted });
    })
    .regex(KEY)
    .meta({ control: "secret" }),
});

/** What a user's own key is kept with. */
interface KeyKeepers {
  readonly ledger: Ledger;
  readonly vault: Vault;
}

/**
 * Stores a user's own key in place of the one before.
 * @param account of the key, tried out
 * @throws ReelayError `jobs_open` as long as the one before is needed
 */
export async function putOwnKey(
  keepers: KeyKeepers,
  { user, keyId }: Pick<Account, "user" | "keyId">,
  key: string,
): Promise<void> {
  await refuseWhileNeeded(keepers, user, keyId);
  await keepers.vault.put(user, key);
  // What waits for a key is tried with this one.
  await wake(keepers.ledger, { user });
}

/** Forgets a user's own key. @throws ReelayError `jobs_open` as long as it is needed */
export async function removeOwnKey(keepers: KeyKeepers, user: UserId): Promise<void> {
  await refuseWhileNeeded(keepers, user);
  await keepers.vault.remove(user);
}

/** Without the key a paid job could not be fetched any more: nothing paid for may be lost. */
async function refuseWhileNeeded(
  { ledger, vault }: KeyKeepers,
  user: UserId,
  newKeyId?: string,
): Promise<void> {
  const stored = await vault.getReadable(user);
  if (!stored || stored.fingerprint === newKeyId) return;
  const keyId = stored.fingerprint;
  const waiting = (await ledger.waitingForKey({ user })).filter((job) => job.keyId === keyId);
  // One that the service refuses fetches nothing any more; those whose answer was lost are looked for with it until the end.
  const states = waiting.length > 0 ? (["submitting", "unsure"] as const) : undefined;
  const count = await ledger.count({ user, keyId, goingOn: true, ...(states && { states }) });
  if (count > 0) throw new ReelayError("jobs_open", { count });
}
