import type { Database } from "../../infrastructure/storage/database.ts";
import { compact, emptyLog } from "../../infrastructure/storage/erasure.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";

/** The least time between two compactions, in milliseconds: people wait while the file is written anew. */
const COMPACT_EVERY_MS = 24 * 3_600_000;

/** When somebody was forgotten last, and the file was written anew last: milliseconds since 1970. */
interface Noted {
  readonly forgottenAt: number;
  readonly compactedAt: number;
}

const NEVER: Noted = { forgottenAt: 0, compactedAt: 0 };

/** What erased rows leave behind in the database's files: nothing, a day after somebody was forgotten. */
export class Traces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** To be called once somebody is erased: empties the log now, and has the file written anew later. */
  async wipe(now: number): Promise<void> {
    await this.#note({ forgottenAt: now });
    await emptyLog(this.#database);
  }

  /**
   * Writes the file anew where somebody was forgotten since that was done last.
   * @returns `too_large` where people would wait for it too long
   */
  async compact(now: number): Promise<"done" | "not_due" | "too_large"> {
    const { forgottenAt, compactedAt } = await this.#noted();
    if (forgottenAt <= compactedAt || now - compactedAt < COMPACT_EVERY_MS) return "not_due";
    const done = await compact(this.#database);
    await this.#note({ compactedAt: now });
    return done ? "done" : "too_large";
  }

  get #store() {
    return memory(this.#database, "retention");
  }

  async #noted(): Promise<Noted> {
    return (await this.#store.get<Noted>("traces")) ?? NEVER;
  }

  async #note(noted: Partial<Noted>): Promise<void> {
    await this.#store.set("traces", { ...(await this.#noted()), ...noted });
  }
}
