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
 * Reads a job that waits for a key: with its own, should it be accepted again, else with the one that pays now, else with any of the
 * operator's where they pay for it: the one that stands in for a refused key need not be the one with the most tokens. A service
 * shows an account its own jobs only (section 7), so that a key which can read it is one of the same account.
 * @throws what the last key was refused with; NotFound where its own key is accepted and does not find it
 */
export async function readWithAnyKey(
  job: Job,
  accounts: Accounts,
  options: AccountCallOptions,
): Promise<ReadWithKey> {
  let refusal: unknown = new ReelayError("not_connected");
  for await (const account of accountsFor(job, accounts)) {
    try {
      const record = await operationOf(job.operation).read(account.api(options), job.serviceId ?? "");
      return { record, keyId: account.keyId };
    } catch (error) {
      const isOthers = error instanceof NotFound && account.keyId !== job.keyId;
      if (!isKeyRefused(error) && !isOthers) throw error;
      refusal = isOthers ? refusal : error;
    }
  }
  throw refusal;
}

/** The accounts that may see a job, each once, the likeliest first. */
async function* accountsFor(job: Job, accounts: Accounts): AsyncGenerator<Account> {
  const asked = new Set<string>();
  const isNew = (account: Account | undefined): account is Account =>
    account !== undefined && asked.size < asked.add(account.keyId).size;
  for (const keyId of [job.keyId, undefined]) {
    const account = await accountOf(job, keyId, accounts);
    if (isNew(account)) yield account;
  }
  for (const { account } of (await accounts.poolFor(job)) ?? []) if (isNew(account)) yield account;
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
