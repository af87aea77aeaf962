import type { Opts, Telegram as Methods } from "telegraf/types";

/** How a call goes out. */
export interface CallOptions {
  /** The chat that it posts to or edits in, for its pace; left out for calls that show nothing. */
  readonly chat?: number;
  /** Nobody waits for it: gives way to everything else, and a newer one with the same name replaces it unsent. */
  readonly idle?: string;
  readonly signal?: AbortSignal;
}

/** Calls of the Bot API, inside Telegram's limits. */
export interface Sender {
  /**
   * Makes one call when its turn has come; `retry_after` is obeyed.
   * @throws TelegramError with Telegram's own words; see errors.ts for what they mean
   */
  call<M extends keyof Methods>(
    method: M,
    parameters: Opts<M>,
    options?: CallOptions,
  ): Promise<ReturnType<Methods[M]>>;
  /** Calls that newer typings know, by name. */
  raw<T>(method: string, parameters: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<T>;
}
