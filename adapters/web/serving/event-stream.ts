import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { Backlog } from "../../../src/seam/surface/backlog.ts";

/** How many windows of one person may follow the same at once. */
const MOST_WINDOWS = 64;
/** Proxies cut a silent connection, often after a minute. */
const HEARTBEAT_MS = 20_000;

/** After how long a browser asks again for a stream that is gone, in milliseconds. */
const RETRY_MS = 3_000;
/** The same where another window took its place: back at once, they would take it from each other for ever. */
const DISPLACED_RETRY_MS = 600_000;

/** Writes an event to a window. @param json its data @param waits whether it counts among what may wait for a slow one */
type Send = (event: string, json: string, waits: boolean) => void;

/** Open windows that follow something, by whose they are. */
export class EventStreams {
  /** Ends each, the one that was opened first at the front. */
  readonly #windowsOf = new Map<string, Set<() => void>>();
  readonly #stopped: AbortSignal;
  readonly #onChange: (listener: () => void) => () => void;

  /**
   * @param stopped aborted when all of them are to end
   * @param onChange calls back when somebody may hear less than before; returns the way to stop that
   */
  constructor(stopped: AbortSignal, onChange: (listener: () => void) => () => void) {
    this.#stopped = stopped;
    this.#onChange = onChange;
  }

  /**
   * Opens one; it ends with its window, or once its device may not hear more.
   * @param owner whose it is
   * @param mayHear is asked before anything is written
   * @param follow begins, and returns the way to stop
   */
  open(
    c: Context,
    owner: string,
    mayHear: () => Promise<boolean>,
    follow: (send: Send) => (() => void) | Promise<() => void>,
  ): Response {
    return streamSSE(c, async (stream) => {
      const backlog = new Backlog(() => stream.abort());
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const retryAfter = (ms: number) => stream.write(`retry: ${ms}\n\n`);
      const displace = () => {
        void retryAfter(DISPLACED_RETRY_MS);
        end();
      };
      const write = async (send: () => Promise<unknown>) => {
        const isIn = await mayHear().catch(() => false);
        await (isIn ? send() : end());
      };
      // Said once: an event on its way to a window that was displaced would call it back.
      void retryAfter(RETRY_MS);
      const unfollow = await follow((event, data, waits) =>
        backlog.add(waits ? data.length : 0, () => write(() => stream.writeSSE({ event, data }))),
      );
      const windows = this.#windowsOf.get(owner) ?? new Set();
      this.#windowsOf.set(owner, windows.add(displace));
      // One more than may be takes the place of the first.
      if (windows.size > MOST_WINDOWS) [...windows][0]?.();
      const still = ": still here\n\n";
      const beat = () => backlog.add(still.length, () => write(() => stream.write(still)));
      const heartbeat = setInterval(beat, HEARTBEAT_MS);
      const unheard = this.#onChange(() => void write(async () => {}));
      stream.onAbort(end);
      if (this.#stopped.aborted) end();
      this.#stopped.addEventListener("abort", end, { once: true });
      await over;
      this.#stopped.removeEventListener("abort", end);
      windows.delete(displace);
      if (windows.size === 0) this.#windowsOf.delete(owner);
      clearInterval(heartbeat);
      unheard();
      unfollow();
    });
  }
}
