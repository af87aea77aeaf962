import { randomUUID } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { GOING_ON } from "./row.ts";

/** A process that has not shown a sign of life for this long is gone, in milliseconds. */
const GONE_MS = 30_000;
const BEAT_MS = 5_000;

/**
 * The processes that share a data folder: a server and a command-line run may work side by side, each on
 * its own jobs. What a process left open when it died is found through here and taken over.
 */
export class Runners {
  /** This process. */
  readonly id = randomUUID();
  readonly #db: Database["kysely"];
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#db = database.kysely;
  }

  /** Announces this process and keeps showing that it lives. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat().catch(() => undefined), BEAT_MS);
    this.#timer.unref();
  }

  /** Says that this process is leaving: whatever it left open may be taken over at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#db.updateTable("runners").set({ beat_at: 0 }).where("id", "=", this.id).execute();
  }

  /** The processes that are gone: killed, stopped, or silent for {@link GONE_MS}. */
  async gone(): Promise<string[]> {
    const others = await this.#db.selectFrom("runners").selectAll().where("id", "!=", this.id).execute();
    return others.filter((runner) => !isAlive(runner.pid, runner.beat_at)).map((runner) => runner.id);
  }

  /** Strikes those off that left nothing open; what others left is still to be found through them. */
  async forget(gone: readonly string[]): Promise<void> {
    if (gone.length === 0) return;
    await this.#db
      .deleteFrom("runners")
      .where("id", "in", gone)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom("jobs")
              .select("jobs.id")
              .whereRef("jobs.runner", "=", "runners.id")
              .where("jobs.going_on", "=", GOING_ON),
          ),
        ),
      )
      .execute();
  }

  /** One that was taken for gone, because its machine slept, is listed again. */
  async #beat(): Promise<void> {
    const row = { id: this.id, pid: process.pid, beat_at: Date.now() };
    await this.#db
      .insertInto("runners")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
  }
}

/** One with this process's own number lived before it: in a container every process has the same. */
function isAlive(pid: number, beatAt: number): boolean {
  if (pid === process.pid || Date.now() - beatAt > GONE_MS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
