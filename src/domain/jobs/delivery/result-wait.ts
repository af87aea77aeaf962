import type { Accounts } from "../../accounts/accounts.ts";
import { isKeyRefused } from "../../accounts/refused.ts";
import { ApiError, RateLimited } from "../../../infrastructure/api/transport/errors.ts";
import { type ErrorCode, ReelayError } from "../../../common/errors.ts";
import { readWithAnyKey } from "../any-key.ts";
import type { Awaited, Job } from "../job.ts";
import { resultOf } from "../polling/taking.ts";
import { FILE_WAIT_MS, KEY_WAIT_MS } from "../waits.ts";

/** What a finished job waits for after its delivery failed so; undefined where that was its platform's doing. */
export function awaitedAfter(failure: unknown): Awaited | undefined {
  if (isKeyRefused(failure)) return "key";
  if (failure instanceof ReelayError && failure.code === "result_unchecked") return "check";
  if (failure instanceof RateLimited) return undefined;
  // No surface calls the service but for the file.
  const isFile =
    failure instanceof ApiError || (failure instanceof ReelayError && failure.code === "result_late");
  return isFile ? "file" : undefined;
}

/**
 * Why its person is told that a finished job's file does not come, once it was waited for long enough.
 * @param now milliseconds since 1970
 */
export function givenUp(job: Job, failure: unknown, now: number): ErrorCode | undefined {
  const waited = now - (job.endedAt ?? now);
  const awaits = awaitedAfter(failure);
  if (awaits === "file" && waited > FILE_WAIT_MS) return "result_gone";
  if (awaits === "check" && waited > FILE_WAIT_MS) return "result_unchecked";
  if (awaits === "key" && waited > KEY_WAIT_MS) return "key_lost";
  return undefined;
}

/**
 * A finished job with the addresses of its files as they are now, where they were not to be had before: the service may
 * have moved them, or not have told them yet (section 2.4).
 * @throws ReelayError `result_late` where there are none; what says that its key is refused
 */
export async function readAgain(job: Job, accounts: Accounts): Promise<Job> {
  if (job.awaits === null && job.result?.length) return job;
  const read = await readWithAnyKey(job, accounts, {}).catch((error: unknown) => {
    // The file may still be where it was said to be.
    if (isKeyRefused(error) || !(error instanceof ApiError)) throw error;
    return undefined;
  });
  const result = read ? resultOf(read.record) : [];
  const found = { ...job, keyId: read?.keyId ?? job.keyId };
  if (result.length > 0) return { ...found, result };
  if (!job.result?.length) throw new ReelayError("result_late");
  return found;
}
