import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { RE2JS } from "re2js";
import { timeoutAwake } from "../../../common/time.ts";

/** How patterns are read: whatever the case, line by line. */
export const PATTERN_FLAGS = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;

/** How long all patterns together may take for one text, in milliseconds. RE2 is linear, but not in the patterns. */
const LIMIT_MS = 2_000;

/**
 * Patterns that are looked for in a thread of their own, one text after the other: however many there are and whatever
 * they say, nobody else waits for them.
 */
export class Patterns {
  readonly #sources: readonly string[];
  readonly #limitMs: number;
  #worker: Promise<Worker> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param sources in RE2's syntax, known to be right */
  constructor(sources: readonly string[], limitMs = LIMIT_MS) {
    this.#sources = sources;
    this.#limitMs = limitMs;
  }

  /** The first pattern that fits a text, by its index; `late` where that could not be told in time. */
  async find(text: string): Promise<number | "late" | undefined> {
    if (this.#sources.length === 0) return undefined;
    const found = this.#turn.then(() => this.#search(text));
    this.#turn = found;
    return found;
  }

  async #search(text: string): Promise<number | "late" | undefined> {
    let worker: Worker | undefined;
    try {
      worker = await (this.#worker ??= this.#start());
      worker.ref();
      const answer = once(worker, "message", { signal: timeoutAwake(this.#limitMs) });
      worker.postMessage(text, []);
      const [index] = (await answer) as [number];
      worker.unref();
      return index < 0 ? undefined : index;
    } catch {
      // What has not answered is not asked again: the next text has a thread of its own.
      this.#worker = undefined;
      await worker?.terminate();
      return "late";
    }
  }

  async #start(): Promise<Worker> {
    const file = new URL(`./pattern-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(file, { workerData: this.#sources, env: {} });
    await once(worker, "message");
    return worker;
  }
}
