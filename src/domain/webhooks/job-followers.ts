import { EventEmitter } from "node:events";
import type { JobEvent } from "../../seam/events.ts";
import type { Database } from "../../infrastructure/storage/database.ts";

/** How often events are looked for that another process of the same data folder wrote, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** Hears of a job: of an event where this process wrote it, else only that there may be something new. */
export type JobListener = (written?: JobEvent) => void;

/** Those who follow jobs in this process, whichever process works on them. */
export class JobFollowers {
  readonly #database: Pick<Database, "kysely" | "bell">;
  /** An event's name is its job. */
  readonly #listeners = new EventEmitter<Record<string, [JobEvent?]>>().setMaxListeners(0);
  #count = 0;
  #stopHearing = () => {};

  constructor(database: Pick<Database, "kysely" | "bell">) {
    this.#database = database;
  }

  /** Returns the way to stop it. */
  follow(job: string, listener: JobListener): () => void {
    if (this.#count === 0) this.#stopHearing = this.#hear();
    this.#count += 1;
    this.#listeners.on(job, listener);
    return () => {
      this.#listeners.off(job, listener);
      this.#count -= 1;
      if (this.#count === 0) this.#stopHearing();
    };
  }

  /** Tells of something that this process committed. */
  tell(job: string, written?: JobEvent): void {
    this.#database.bell.ring("job-events", job);
    this.#listeners.emit(job, written);
  }

  /** Hears of what other processes write. Returns the way to stop it. */
  #hear(): () => void {
    const { bell } = this.#database;
    if (bell.isShared)
      return bell.on("job-events", (rung) => (rung === undefined ? this.#all() : this.#listeners.emit(rung)));
    let seen: number | undefined;
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      // What cannot be read now is, at the next look.
      seen = await this.#look(seen).catch(() => seen);
      isLooking = false;
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
    return () => clearInterval(timer);
  }

  /**
   * Looks through what was written, whose ids grow over all jobs.
   * @param seen the last that was seen; undefined: any may have been missed
   * @returns the last by now
   */
  async #look(seen: number | undefined): Promise<number> {
    const events = this.#database.kysely.selectFrom("job_events");
    if (seen === undefined) {
      const { last } = await events.select(({ fn }) => fn.max("id").as("last")).executeTakeFirstOrThrow();
      this.#all();
      return last ?? 0;
    }
    const rows = await events.select(["id", "job"]).where("id", ">", seen).orderBy("id").execute();
    for (const job of new Set(rows.map((row) => row.job))) this.#listeners.emit(job);
    return rows.at(-1)?.id ?? seen;
  }

  #all(): void {
    for (const job of this.#listeners.eventNames()) this.#listeners.emit(job);
  }
}
