import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";

/** After so many changed rows the log is copied into the file: where they are jobs', it has some 14 MB by then. */
export const EVERY_ROWS = 1_024;

/** A thread that copies the log, and what says that it has ended. */
interface Thread {
  readonly worker: Worker;
  readonly ended: AbortSignal;
}

/**
 * Copies what SQLite's log holds into the database's file, so that the log can begin anew, on a thread of its own, as the
 * disk is waited for. One that fails or ends costs nothing but that: another is started when there is more to copy, and
 * beyond {@link PAGES_WITHOUT_HELP} SQLite copies by itself, in whoever writes.
 */
export class Checkpointer {
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #start: () => Worker;
  #rows = 0;
  #copied = 0;
  #thread: Thread | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  /**
   * @param alone does something while nobody else in this process reads or writes
   * @param start starts a thread: {@link checkpointThread}
   */
  constructor(alone: <T>(work: () => Promise<T>) => Promise<T>, start: () => Worker) {
    this.#alone = alone;
    this.#start = start;
  }

  /** @param rows how many have been changed so far; what was committed of them is on disk */
  wrote(rows: number): void {
    this.#rows = rows;
    if (this.#rows - this.#copied < EVERY_ROWS || this.#running || this.#isClosed) return;
    this.#copied = rows;
    this.#running = this.#copyAll().finally(() => (this.#running = undefined));
  }

  /** Resolves when the thread has closed the database, so that whoever closes it afterwards leaves no log behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    if (!this.#thread || this.#thread.ended.aborted) return;
    const { worker, ended } = this.#thread;
    worker.ref();
    worker.postMessage("end", []);
    await once(ended, "abort");
  }

  async #copyAll(): Promise<void> {
    try {
      await this.#copy();
      // What was written meanwhile is little. A log of which everything is copied begins anew with the next write; while others
      // write there is always something left.
      await this.#alone(() => this.#copy());
    } catch {
      // The next one is copied by another thread.
      await this.#thread?.worker.terminate();
      this.#thread = undefined;
    }
  }

  async #copy(): Promise<void> {
    const { worker, ended } = (this.#thread ??= this.#begin());
    worker.ref();
    try {
      const copied = once(worker, "message", { signal: ended });
      worker.postMessage("copy", []);
      await copied;
    } finally {
      worker.unref();
    }
  }

  #begin(): Thread {
    const worker = this.#start();
    const ended = new AbortController();
    worker.once("exit", () => ended.abort());
    // Whoever waits for it hears of it; nobody else has to.
    worker.on("error", () => {});
    return { worker, ended: ended.signal };
  }
}

/** Pages of the log from which on whoever writes copies them, in SQLite's measure of 4 KiB: 32 MiB. */
export const PAGES_WITHOUT_HELP = 8_192;

/** A thread that copies the log of the database at a path. */
export function checkpointThread(path: string): Worker {
  const file = new URL(`./checkpoint-worker${extname(import.meta.url)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  return new Worker(file, { workerData: path, env: {}, execArgv: [], resourceLimits });
}
