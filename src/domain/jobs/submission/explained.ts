import { ReelayError } from "../../../common/errors.ts";
import {
  InsufficientTokens,
  Maintenance,
  NotFound,
  SubscriptionRequired,
} from "../../../infrastructure/api/transport/errors.ts";
import type { Accounts } from "../../accounts/accounts.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Experience } from "../experience/experience.ts";
import type { Job } from "../job.ts";
import { quoteOf, shortfall } from "../quote.ts";

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
