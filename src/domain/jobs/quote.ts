import {
  InsufficientTokens,
  Maintenance,
  NotFound,
  SubscriptionRequired,
} from "../../infrastructure/api/transport/errors.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { Quote } from "../../seam/fields.ts";
import { shortageOf } from "../../seam/forms/price.ts";
import type { Values } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { operationOf } from "../operations/registry.ts";
import { atMost } from "../../common/time.ts";
import type { Experience } from "./experience/experience.ts";
import type { Job } from "./job.ts";

/**
 * How long a balance is waited for, in milliseconds. When many keys are asked for theirs at once, the last read has to
 * wait for a minute or more (section 8.1); the service itself refuses what is not covered, and that costs nothing.
 */
const BALANCE_PATIENCE_MS = 2_000;

/**
 * Tokens left; null where that is not told in time.
 * @param maxAgeMs how old that may be, in milliseconds; a minute unless given
 */
export async function balanceOf(account: Account, maxAgeMs?: number): Promise<number | null> {
  const reading = account.balance(maxAgeMs).catch(() => null);
  return (await atMost(BALANCE_PATIENCE_MS, reading)) ? reading : null;
}

/**
 * What an operation will cost with these (checked) values: as the same choices did last time, else by the
 * contract's formula, from which an admin may have granted a discount (section 4.8).
 * @param maxAgeMs how old the balance may be, in milliseconds; a minute unless given
 */
export async function quoteOf(
  account: Account,
  experience: Experience,
  operation: Operation,
  values: Values,
  maxAgeMs?: number,
): Promise<Quote> {
  const balance = await balanceOf(account, maxAgeMs);
  const tokens = priceOf(experience, operation, values);
  const known = tokens === operation.price(values) ? "exact" : "learned";
  return { tokens, basis: tokens === null ? "unknown" : known, balance };
}

/** Tokens that an operation costs with these (checked) values, as far as is known; see {@link quoteOf}. */
export function priceOf(
  experience: Pick<Experience, "price">,
  operation: Operation,
  values: Values,
): number | null {
  return experience.price(operation.id, operation.size(values)) ?? operation.price(values);
}

/**
 * The error that says what is missing, to those who may know what is left; undefined where the balance covers the
 * cost, or either is not known.
 */
export function shortfall(
  { tellsBalance }: Pick<Account, "tellsBalance">,
  quote: Quote,
): ReelayError | undefined {
  const shortage = quote.tokens === null ? undefined : shortageOf(quote);
  if (!shortage) return undefined;
  if (!tellsBalance) return new ReelayError("shared_tokens_missing");
  return new ReelayError(shortage.code, shortage.params);
}

/** How many of the account's past jobs of one kind are looked at for their prices. */
const LOOK_BACK = 8;

/** Learns prices from what the account was charged before Reelay knew it: better than none on the first day. */
export async function learnPrices(
  account: Account,
  experience: Experience,
  operations: readonly Operation[],
  signal?: AbortSignal,
): Promise<void> {
  const api = account.api({ background: true, ...(signal && { signal }) });
  const { jobs } = await api.jobs({ perPage: 100 });
  for (const operation of operations.filter(({ listed }) => listed)) {
    const charged = jobs
      .filter(({ type, state }) => type === operation.type && state === "completed")
      .slice(0, LOOK_BACK);
    for (const record of charged) {
      const { cost } = record;
      const size = cost === null ? undefined : await operation.sizeOf(api, record);
      if (size === undefined || cost === null) continue;
      if (experience.price(operation.id, size) === null) await experience.charged(operation.id, size, cost);
    }
  }
}

/** What tells how much is missing. */
interface Parts {
  readonly accounts: Accounts;
  readonly experience: Experience;
}

/** A refusal of a job with what is known of its reason: what is missing, what is needed, what rests and what does not. */
export async function explained(parts: Parts, job: Job, refusal: ReelayError): Promise<ReelayError> {
  if (refusal instanceof InsufficientTokens) return missing(parts, job, refusal);
  const operation = operationOf(job.operation);
  const { id, instead } = operation;
  if (refusal instanceof SubscriptionRequired) {
    const code = operation.forbidden(job.values);
    if (code) return new ReelayError(code, { operation: id });
  }
  // Something that was asked for, such as a template: nothing of this job can have been deleted.
  if (refusal instanceof NotFound) return new ReelayError("bad_request", refusal.params);
  if (refusal instanceof Maintenance) return new ReelayError("product_resting", { operation: id, instead });
  return refusal;
}

/** How much is missing, where price and balance can be told; else the refusal as it is. */
async function missing(
  { accounts, experience }: Parts,
  job: Job,
  refusal: InsufficientTokens,
): Promise<ReelayError> {
  const account = await accounts.of(job);
  await account.balance(0).catch(() => null);
  const quote = await quoteOf(account, experience, operationOf(job.operation), job.values);
  return shortfall(account, quote) ?? refusal;
}
