import { ReelayError } from "../../../src/common/errors.ts";
import { type Meaning, meaningOf } from "../api/errors.ts";

/** Failures that are about one way to somebody: another one may lead there. */
const OBSTACLES: ReadonlySet<Meaning | undefined> = new Set<Meaning>([
  "unknown_interaction",
  "token_dead",
  "message_gone",
  "channel_gone",
  "forbidden",
  "cannot_dm",
]);

/** No way leads there; the last one's failure is its cause. */
export class OutOfReach extends ReelayError {
  constructor(cause?: unknown) {
    super("undeliverable", {}, { cause });
  }
}

/** Whether something failed because of the way that was taken, and not because Discord is down or said no. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof OutOfReach || OBSTACLES.has(meaningOf(error));
}

/**
 * What the first way gives that leads there.
 * @throws OutOfReach when none does; whatever else goes wrong on the way
 */
export async function firstOf<T>(ways: readonly (() => Promise<T>)[]): Promise<T> {
  let obstacle: unknown;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      obstacle = error;
    }
  }
  throw new OutOfReach(obstacle);
}

/** Does what is no harm when nothing leads there. @returns whether something did */
export async function ifReached(task: () => Promise<unknown>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    if (isOutOfReach(error)) return false;
    throw error;
  }
}
