import { NotFound } from "../../infrastructure/api/transport/errors.ts";
import { LISTED_TYPES } from "../../common/contract.ts";
import type { Recognition } from "./operation.ts";

/**
 * For jobs whose records show nothing that was asked for but the type: one of the key's submissions at a time
 * is on its way, and which one it was follows from that.
 */
export function byType(type: string): Recognition {
  return {
    type,
    listed: LISTED_TYPES.some((listed) => listed === type),
    fingerprint: () => type,
    likeness: async () => "possible",
    sizeOf: async () => undefined,
  };
}

/** What a record shows more closely; undefined where the service shows no more of it. */
export async function shownBy<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
