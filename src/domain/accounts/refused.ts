import {
  InsufficientTokens,
  SubscriptionRequired,
  Unauthorized,
} from "../../infrastructure/api/transport/errors.ts";
import { type ErrorCode, ReelayError } from "../../common/errors.ts";

/** A key that was forgotten, or cannot be decrypted any more. A database that cannot be read is neither. */
const KEY_GONE: ReadonlySet<ErrorCode> = new Set(["not_connected", "key_unreadable"]);

/** Whether there is no key any more that a job could be read with. */
export function isKeyGone(error: unknown): boolean {
  return error instanceof ReelayError && KEY_GONE.has(error.code);
}

/** Whether it takes somebody who connects a key before a job can be read again: there is none, or it is refused. */
export function isKeyRefused(error: unknown): boolean {
  const refused = [Unauthorized, InsufficientTokens, SubscriptionRequired].some(
    (meaning) => error instanceof meaning,
  );
  return refused || isKeyGone(error);
}
