import { Readable } from "node:stream";
import { ReelayError } from "../../../src/common/errors.ts";
import { sleep, timeoutAwake } from "../../../src/common/time.ts";
import type { PlatformAnswer } from "./request.ts";

/** How long a file is tried for: somebody waits, and what else they do waits behind it. */
const FOR_MS = 20_000;

/** For one try at one file, over a slow line, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 500, longest: 8_000 } as const;

/** A platform's file server did not hand a file out, for a reason that passes. */
export class Unreached extends Error {
  override readonly name = "Unreached";
  /** How long it wants to be left alone, in milliseconds, where it says so. */
  readonly pauseMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly pauseMs?: number | undefined } = {}) {
    super(message, options);
    this.pauseMs = options.pauseMs;
  }
}

/** How long a file is tried for, and by which clock. */
export interface Patience {
  /** In milliseconds, from the first try to the beginning of the last. */
  readonly forMs: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const PATIENCE: Patience = { forMs: FOR_MS, now: () => performance.now(), pause: (ms) => sleep(ms) };

/**
 * Opens a file of a platform's; tries again where that, or its reading, fails for a reason that passes. What was read
 * already is left out then: a file is the same each time.
 * @param open asks for it; throws {@link Unreached} where it is worth another try
 * @throws ReelayError `media_unreached` after {@link Patience.forMs}, also from the stream; what else `open` throws
 */
export async function fetchFile(
  open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>,
  { forMs, now, pause }: Patience = PATIENCE,
): Promise<Readable> {
  const until = now() + forMs;
  let failures = 0;

  const rest = async (cause: unknown) => {
    const usualMs = Math.min(PAUSE_MS.first * 2 ** failures++, PAUSE_MS.longest);
    const ms = cause instanceof Unreached ? (cause.pauseMs ?? usualMs) : usualMs;
    if (now() + ms > until) throw new ReelayError("media_unreached", {}, { cause });
    await pause(ms);
  };

  const opened = async (): Promise<AsyncIterable<Uint8Array>> => {
    for (;;) {
      try {
        return await open(timeoutAwake(TIMEOUT_MS));
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        await rest(error);
      }
    }
  };

  async function* contents(first: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let read = 0;
    for (let source = first; ; source = await opened()) {
      const pieces = source[Symbol.asyncIterator]();
      let at = 0;
      try {
        for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
          const isNew = piece.value.subarray(Math.max(read - at, 0));
          at += piece.value.length;
          read = Math.max(read, at);
          if (isNew.length > 0) yield isNew;
        }
        return;
      } catch (error) {
        await rest(error);
      } finally {
        await pieces.return?.().catch(() => undefined);
      }
    }
  }

  return Readable.from(contents(await opened()), { objectMode: false });
}

/**
 * The contents of a file server's answer.
 * @returns undefined where it has no such file for us, now and later
 * @param max what it may have, in bytes, as far as it says so beforehand
 * @throws Unreached where another try may help; ReelayError `media_too_large`
 */
export async function contentsIn(
  { status, headers, body }: PlatformAnswer,
  max = Number.POSITIVE_INFINITY,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const isTooLarge = Number(headers["content-length"] ?? 0) > max;
  if (status === 200 && !isTooLarge) return body;
  await body.dump();
  if (status === 200) throw new ReelayError("media_too_large", { max });
  const passes = status < 400 ? status < 300 : status === 408 || status === 429 || status >= 500;
  if (!passes) return undefined;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  throw new Unreached(`The file server answered ${status}`, { pauseMs });
}
