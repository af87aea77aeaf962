import { ReelayError } from "../../../common/errors.ts";
import { sleep } from "../../../common/time.ts";
import { scrub } from "../../telemetry/scrub.ts";

/** How what failed for a reason that passes is tried again. */
export interface Retries {
  /** How to wait, in milliseconds; real time by default. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Tries altogether, and the first wait in milliseconds: each further one is twice as long. */
const TRIES = 4;
const FIRST_WAIT_MS = 200;

/** What a store says of a request that it would take another time, whatever its status. */
const PASSING: ReadonlySet<string> = new Set([
  "InternalError",
  "RequestTimeout",
  // Its answer has its time, by which the next one is signed.
  "RequestTimeTooSkewed",
  "ServiceUnavailable",
  "SlowDown",
  "ThrottlingException",
  "XAmzContentSHA256Mismatch",
]);

/** What a file is said to be that is not there. */
const GONE: ReadonlySet<string> = new Set(["NoSuchKey", "NotFound"]);

/**
 * Does something until it succeeds, or fails for a reason that stays, or has failed often enough.
 * @param until given up on from then on
 * @throws what the last try threw
 */
export async function retried<T>(
  task: () => Promise<T>,
  { pause = sleep }: Retries = {},
  until?: AbortSignal,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await task();
    } catch (error) {
      if (number >= TRIES || !passes(error) || until?.aborted) throw error;
      const least = FIRST_WAIT_MS * 2 ** (number - 1);
      await pause(least + Math.random() * least);
    }
  }
}

/** Whether the same may succeed another time: nobody answered, or said that they cannot now. */
function passes(error: unknown): boolean {
  const { name, status } = said(error);
  return PASSING.has(name) || status === undefined || status === 429 || status >= 500;
}

/** `media_gone` for a file that is not there, `storage_down` for everything else. */
export function errorOf(error: unknown): ReelayError {
  if (error instanceof ReelayError) return error;
  const { name, status } = said(error);
  if (GONE.has(name)) return new ReelayError("media_gone", {}, { cause: error });
  return new ReelayError("storage_down", { reason: reasonOf(error, name, status) }, { cause: error });
}

function reasonOf(error: unknown, name: string, status: number | undefined): string {
  if (name === "NoSuchBucket") return "there is no such bucket";
  if (status === undefined) {
    const words = error instanceof Error ? error.message || name : String(error);
    return `the store of files does not answer (${scrub.text(words)})`;
  }
  return `the store of files says ${name} (${status})`;
}

/** What a store said: the name of its error, and its status where it answered at all. */
function said(error: unknown): { readonly name: string; readonly status: number | undefined } {
  if (!(error instanceof Error)) return { name: "unknown", status: undefined };
  const { name } = error;
  if (!("$metadata" in error)) return { name, status: undefined };
  const { httpStatusCode: status } = error.$metadata as { readonly httpStatusCode?: number };
  return { name, status };
}
