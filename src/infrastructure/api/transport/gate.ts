import type { RateGroup } from "../../../common/contract.ts";

/** What a gate may decide on. */
export interface GatedCall {
  readonly group: RateGroup;
  readonly method: string;
  /** Whether it costs tokens: then this is its only attempt. */
  readonly paid: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stands before every single HTTP attempt, repeated ones too: holds it back until the published limits have
 * room for it. `send` makes one attempt and throws ApiError, so that the gate sees a RateLimited; it may be told the name of
 * the address that the attempt leaves by.
 */
export type CallGate = <T>(call: GatedCall, send: (egress?: string) => Promise<T>) => Promise<T>;

/** Lets everything through. */
export const openGate: CallGate = (_call, send) => send();
