import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Client } from "pg";
import type { Bell, BellTopic } from "../../../common/bell.ts";
import { sleep } from "../../../common/time.ts";

/** What is rung for within so long, in milliseconds, is told at once: each notice takes a lock that all commits of the server wait for. */
const TOGETHER_MS = 50;

/** How often the line is tried out on which rings come, and how long until a lost one is opened anew, in milliseconds. */
const TRIED_MS = 2_000;
const AGAIN_MS = 1_000;

/** How long after it was last tried out a line counts as one on which rings come, in milliseconds. */
const PROVEN_MS = 2 * TRIED_MS;

/** Rings that are kept while they cannot be told; beyond that all are told to look at everything. */
const MOST_KEPT = 1_000;

/** Longer ones do not fit into a notice (8,000 bytes, with what is around it); whoever hears of one looks at everything. */
const LONGEST_KEY = 4_000;

/** What all are told over. */
export const CHANNEL = "reelay";

/** Everything of a topic. */
const ALL = "";

/** Tells some notices over any connection. */
type Notify = (notices: readonly string[]) => Promise<unknown>;

/**
 * A bell over PostgreSQL's `LISTEN` and `NOTIFY`. Rings come over a connection of its own, which is opened once somebody listens; where
 * it breaks, whoever listens is told to look at everything once it is there again.
 */
export class PostgresBell implements Bell {
  readonly isShared = true;
  readonly #notify: Notify;
  readonly #connect: () => Client;
  readonly #own = randomUUID();
  readonly #listeners = new EventEmitter<Record<BellTopic, [key: string | undefined]>>().setMaxListeners(0);
  readonly #leaving = new AbortController();
  /** What is still to be told, as topic and key. */
  readonly #rung = new Set<string>();
  #provenAt = Number.NEGATIVE_INFINITY;
  #telling: Promise<void> | undefined;
  #hearing: Promise<void> | undefined;

  /** @param connect makes a connection that is not open yet, whose statements are given up after a time */
  constructor(notify: Notify, connect: () => Client) {
    this.#notify = notify;
    this.#connect = connect;
  }

  get hears(): boolean {
    return performance.now() - this.#provenAt < PROVEN_MS;
  }

  ring(topic: BellTopic, key: string): void {
    this.#rung.add(ringOf(topic, this.#rung.size < MOST_KEPT ? key : ALL));
    this.#telling ??= this.#tell();
  }

  /** What rings over {@link CHANNEL} once whoever says it has committed that. */
  noticesOf(topic: BellTopic, keys: readonly string[]): string[] {
    return keys.map((key) => this.#noticeOf(ringOf(topic, key)));
  }

  on(topic: BellTopic, listener: (key: string | undefined) => void): () => void {
    this.#listeners.on(topic, listener);
    this.#hearing ??= this.#hear();
    return () => this.#listeners.off(topic, listener);
  }

  /** Tells what is still to be told, and hears no more. */
  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#telling;
    await this.#hearing;
  }

  async #tell(): Promise<void> {
    while (this.#rung.size > 0) {
      await this.#pause(TOGETHER_MS);
      const rung = [...this.#rung];
      this.#rung.clear();
      try {
        await this.#notify(rung.map((one) => this.#noticeOf(one)));
      } catch {
        if (this.#leaving.signal.aborted) break;
        for (const one of rung) this.#rung.add(one);
        await this.#pause(AGAIN_MS);
      }
    }
    this.#telling = undefined;
  }

  async #hear(): Promise<void> {
    for (let isAgain = false; !this.#leaving.signal.aborted; isAgain = true) {
      const line = this.#connect();
      line.on("error", unheard);
      line.on("notification", ({ payload = "" }) => this.#heard(payload));
      try {
        await line.connect();
        await line.query(`listen ${CHANNEL}`);
        // What was rung for while nobody listened here, nobody here has heard.
        if (isAgain) this.#heardAll();
        while (!this.#leaving.signal.aborted) {
          this.#provenAt = performance.now();
          await this.#pause(TRIED_MS);
          await line.query("select 1");
        }
      } catch {
        this.#provenAt = Number.NEGATIVE_INFINITY;
        await this.#pause(AGAIN_MS);
      } finally {
        await line.end().catch(unheard);
      }
    }
  }

  #heard(notice: string): void {
    const [, from, topic, key] = /^(\S+) (\S+) (.*)$/s.exec(notice) ?? [];
    if (from === this.#own || key === undefined) return;
    this.#listeners.emit(topic as BellTopic, key === ALL ? undefined : key);
  }

  #noticeOf(ring: string): string {
    return `${this.#own} ${ring}`;
  }

  #heardAll(): void {
    for (const topic of this.#listeners.eventNames()) this.#listeners.emit(topic, undefined);
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, this.#leaving.signal).catch(unheard);
  }
}

const ringOf = (topic: BellTopic, key: string) => `${topic} ${key.length > LONGEST_KEY ? ALL : key}`;

/** The next try says it. */
function unheard(): void {}
