import { ReelayError } from "../../../common/errors.ts";
import { ApiError, isDeletable, type MediaApi, NotFound } from "../../../infrastructure/api/media-api.ts";
import type { DueMessage, JobMessage } from "../../jobs/delivery/take-backs.ts";
import { isKeyGone, isKeyRefused } from "../../accounts/refused.ts";
import type { Job } from "../../jobs/job.ts";
import type { Operation } from "../../operations/operation.ts";
import { operationOf } from "../../operations/registry.ts";
import type { MakingParts } from "../command.ts";

/** So many failures in a row mean that the service is out of reach: each takes its time, and there may be thousands. */
const FAILURES_IN_A_ROW = 3;

type DeletingParts = Pick<MakingParts, "accounts" | "copies" | "ledger" | "takeBacks" | "log">;

type Where = "everywhere" | "here";

/** What became of one. */
export interface Deletion {
  /** Whether it ever was at the service. */
  readonly wasThere: boolean;
  /** Whether it is still at the service: that offers no way to delete it, or it was to be deleted here alone. */
  readonly isKept: boolean;
  /** How many messages still show it, in chats that cannot be reached now. */
  readonly shown: number;
}

/** What became of several jobs that were to be deleted. */
interface Deletions {
  /** Those that are gone here and at the service. */
  readonly deleted: number;
  /** Those that never were at the service: gone here. */
  readonly here: number;
  /** Those that the service offers no way to delete: gone here only. */
  readonly kept: number;
  /** How many messages still show one of them; see {@link Deletion}. */
  readonly shown: number;
  /** Those that were not deleted for want of the key that takes. */
  readonly keyless: number;
  /** Why the first of those that are still there was not deleted. */
  readonly failure: unknown;
}

/**
 * Deletes one job after the other, and gives up where the service is out of reach.
 * @param where here alone, they stay at the service
 */
export async function deleteJobs(
  parts: DeletingParts,
  jobs: AsyncIterable<Job>,
  where: Where = "everywhere",
): Promise<Deletions> {
  let [deleted, here, kept, shown, keyless, failures] = [0, 0, 0, 0, 0, 0];
  let failure: unknown;
  for await (const job of jobs) {
    try {
      const deletion = await deleteJob(parts, job, where);
      if (!deletion.wasThere) here += 1;
      else if (deletion.isKept) kept += 1;
      else deleted += 1;
      shown += deletion.shown;
      failures = 0;
    } catch (err) {
      failure ??= err;
      if (isKeyRefused(err)) keyless += 1;
      // Where there is no key nothing was asked of the service.
      if (!isKeyGone(err)) failures += 1;
      parts.log.warn({ err, job: job.id }, "A job that is to be deleted stays at the service");
      if (failures === FAILURES_IN_A_ROW) break;
    }
  }
  return { deleted, here, kept, shown, keyless, failure };
}

/**
 * Deletes at the service first: what fails there is still listed here.
 * @param where here alone, it stays at the service
 * @throws ReelayError `not_deleted` where the service did not do so; `unauthorized`, `rate_limited`, `not_connected`
 */
export async function deleteJob(
  parts: DeletingParts,
  job: Job,
  where: Where = "everywhere",
): Promise<Deletion> {
  const operation = operationOf(job.operation);
  const { serviceId } = job;
  const remove = where === "everywhere" ? removalOf(job) : null;
  // Where the first try is there although the disk said that it is not, the next one finds no copies any more.
  const dues = new Map<string, DueMessage>();
  const elsewhere = parts.takeBacks.mentions(job);
  const erase = () =>
    parts.ledger.remove(job.id, async (transaction) => {
      const copies = await parts.copies.erase(transaction, job.id);
      const messages = [...copies, ...ownMessage(job), ...elsewhere];
      for (const due of await parts.takeBacks.note(job, messages, transaction)) dues.set(due.name, due);
    });
  if (serviceId !== null && remove) {
    const account = await parts.accounts.of(job);
    await removeThere(operation, remove, account.api(), serviceId);
    // There it is gone for good: nobody is told then that nothing was done.
    await parts.ledger.keep(erase);
  } else {
    await erase();
  }
  return {
    wasThere: serviceId !== null,
    isKept: serviceId !== null && remove === null,
    shown: await parts.takeBacks.take([...dues.values()]),
  };
}

/** How a job is deleted at the service; null where it is not there, or that offers no way. */
export function removalOf({ operation, serviceId }: Job): Operation["remove"] {
  return serviceId !== null && isDeletable(serviceId) ? operationOf(operation).remove : null;
}

/**
 * Whether a job could be deleted at the service if the key that takes were there; each key is looked at once.
 * @param asking asks the service whether it accepts the key, too: else only what is stored counts
 */
export function keylessAmong(
  { accounts }: Pick<DeletingParts, "accounts">,
  asking: boolean,
): (job: Job) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  async function isMissing(job: Job): Promise<boolean> {
    try {
      const account = await accounts.of(job);
      if (asking) await account.api().balance();
      return false;
    } catch (error) {
      if (isKeyRefused(error)) return true;
      throw error;
    }
  }
  return async (job) => {
    if (removalOf(job) === null) return false;
    const key = JSON.stringify([job.keyId, job.chat, job.host]);
    const missing = known.get(key) ?? isMissing(job);
    known.set(key, missing);
    return await missing;
  };
}

/** What a refusal says of the key and its rate holds for a deletion, too; all others speak of what is made. */
const ALSO_OF_DELETIONS = new Set(["unauthorized", "rate_limited"]);

async function removeThere(
  operation: Operation,
  remove: NonNullable<Operation["remove"]>,
  api: MediaApi,
  serviceId: string,
): Promise<void> {
  try {
    await remove(api, serviceId);
  } catch (error) {
    // Deleted elsewhere, or kept no longer: what was wanted, unless the job can still be read.
    if (error instanceof NotFound && (await isGone(() => operation.read(api, serviceId)))) return;
    if (!(error instanceof ApiError) || ALSO_OF_DELETIONS.has(error.code)) throw error;
    throw new ReelayError("not_deleted", {}, { cause: error });
  }
}

/** Whether the service knows a job no more; false where it does not say. */
async function isGone(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    return error instanceof NotFound;
  }
}

/** The message that shows a job where it was asked for, if there is one. */
export function ownMessage({ id, chat, surface: platform, receipt }: Job): JobMessage[] {
  return receipt ? [{ platform, receipt, chat, name: id }] : [];
}
