import type { Account, Accounts, AccountCallOptions } from "../accounts/accounts.ts";
import { isKeyGone, isKeyRefused } from "../accounts/refused.ts";
import { type ServiceJob, NotFound } from "../../infrastructure/api/media-api.ts";
import { ReelayError } from "../../common/errors.ts";
import { operationOf } from "../operations/registry.ts";
import type { Job } from "./job.ts";

/** What was read of a job that waited for a key, and with which. */
export interface ReadWithKey {
  readonly record: ServiceJob;
  readonly keyId: string;
}

/**
 * Reads a job that waits for a key: with its own, should it be accepted again, else with the one that pays now. A service
 * shows an account its own jobs only (section 7), so that a key which can read it is one of the same account.
 * @throws what the last key was refused with; NotFound where its own key is accepted and does not find it
 */
export async function readWithAnyKey(
  job: Job,
  accounts: Accounts,
  options: AccountCallOptions,
): Promise<ReadWithKey> {
  let refusal: unknown = new ReelayError("not_connected");
  for (const { keyId } of [job, { keyId: undefined }]) {
    const account = await accountOf(job, keyId, accounts);
    if (!account || (keyId === undefined && account.keyId === job.keyId)) continue;
    try {
      const record = await operationOf(job.operation).read(account.api(options), job.serviceId ?? "");
      return { record, keyId: account.keyId };
    } catch (error) {
      const isOthers = error instanceof NotFound && keyId === undefined;
      if (!isKeyRefused(error) && !isOthers) throw error;
      refusal = isOthers ? refusal : error;
    }
  }
  throw refusal;
}

async function accountOf(
  { user, chat, host }: Job,
  keyId: string | undefined,
  accounts: Accounts,
): Promise<Account | undefined> {
  const payer = { user, chat, host, ...(keyId !== undefined && { keyId }) };
  return accounts.of(payer).catch((error: unknown) => {
    if (!isKeyGone(error)) throw error;
    return undefined;
  });
}
