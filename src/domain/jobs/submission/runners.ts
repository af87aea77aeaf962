import { randomUUID } from "node:crypto";
import { keepTime } from "../../../infrastructure/storage/clock.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import { dialectOf, NOW } from "../../../infrastructure/storage/dialect.ts";
import { ageOf, instant, type Instant, keepTo, sleep, steady } from "../../../common/time.ts";
import { Lease, LEASE_ACROSS_MACHINES_MS, LEASE_MS, leaseFor } from "./lease.ts";
import { identityAmongMachines, isRunning, ownIdentity, type ProcessIdentity } from "./process-identity.ts";
import { NOBODY } from "../adopt.ts";
import { GOING_ON } from "../row.ts";

/** Signs of life within a lease. */
const BEATS = 6;

/** A silent process may have slept with its machine: it has so many beats' time to show itself. */
const BEATS_TO_SHOW = 2;

/** What whoever opened it hears of. */
interface RunnerEvents {
  /** The clock was set back by so many milliseconds since the last sign of anybody's life. */
  readonly setBack: (byMs: number) => void;
  /** A sign of life could not be given, the first of several in a row: nothing is sent until one is. */
  readonly missed: (error: unknown) => void;
}

/** So often at most it is looked for those who are gone by whoever waits for something that they may have left, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** Instead of a time: it has left. */
const LEFT = 0;

/** Instead of a time: it is not listed, but works on jobs. */
const UNLISTED = -1;

/**
 * The registry of the processes that share a database: a server and a command-line run may work side by side, in
 * one container or in several, on one machine or on several, each on its own jobs. What a process left open when it died is found
 * through here and taken over. Signs of life are of the database's time.
 *
 * Whoever shares this process's numbering of processes is gone when its number is; everybody, when they are silent for
 * longer than the lease. A process that was stopped that long finds its lease lapsed and sends nothing more of what it
 * had begun (see `Lease`), and whatever it writes of its jobs is refused (see `Ledger`).
 */
export class Runners {
  /** This process. */
  readonly id = randomUUID();
  readonly lease: Lease;
  readonly #db: Database["kysely"];
  readonly #bell: Database["bell"];
  readonly #identity: ProcessIdentity;
  readonly #schema: number;
  /** By process: its last sign of life, and when that was first seen here. */
  readonly #seen = new Map<string, { readonly beatAt: number; readonly at: Instant }>();
  /** The last sign of life of those that were found to be gone. */
  readonly #last = new Map<string, number>();
  readonly #events: Partial<RunnerEvents>;
  #timer: NodeJS.Timeout | undefined;
  #isMissing = false;
  #lookedAt: Instant | undefined;

  /**
   * @param leaseMs the same for all who share the database, in milliseconds
   * @param identity who this process is
   */
  constructor(
    database: Database,
    leaseMs = LEASE_MS,
    identity = ownIdentity(),
    events: Partial<RunnerEvents> = {},
  ) {
    this.#db = database.kysely;
    this.#bell = database.bell;
    this.lease = new Lease(leaseMs);
    this.#identity = identity;
    this.#schema = database.schema;
    this.#events = events;
  }

  /** Announces this process and keeps showing that it lives. */
  async start(): Promise<void> {
    await this.renew();
    this.#timer = setInterval(() => void this.#beat(), this.#beatMs);
    this.#timer.unref();
  }

  /** Says that this process is leaving: whatever it left open may be taken over at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.lease.end();
    await this.#db.updateTable("runners").set({ beat_at: LEFT }).where("id", "=", this.id).execute();
    this.#bell.ring("left", this.id);
  }

  /**
   * Shows that this process lives, and keeps the time (see `keepTime`). One that was taken for gone, because it stood still, is
   * listed again. From then on this process goes by the database's clock: others judge by what is written here.
   */
  async renew(): Promise<void> {
    // Whoever asks for the time seldom learns by this that it was set back.
    steady();
    const at = instant();
    const { pid, started, boot, pidNamespace } = this.#identity;
    const schema = this.#schema;
    const row = { id: this.id, pid, started, boot, pid_namespace: pidNamespace, schema, beat_at: NOW };
    const { beat_at: beatAt } = await this.#db
      .insertInto("runners")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .returning("beat_at")
      .executeTakeFirstOrThrow();
    if (!dialectOf(this.#db).hasFiles) keepTo(beatAt, at);
    this.lease.renew(at);
    const setBackMs = await keepTime({ kysely: this.#db });
    if (setBackMs > 0) this.#events.setBack?.(setBackMs);
  }

  async #beat(): Promise<void> {
    try {
      await this.renew();
      this.#isMissing = false;
    } catch (error) {
      if (!this.#isMissing) this.#events.missed?.(error);
      this.#isMissing = true;
    }
  }

  /**
   * The processes that are gone: killed, stopped, or silent for longer than the lease; also such as were struck off while they stood still,
   * then wrote a job, and were killed before they showed themselves again.
   */
  async gone(): Promise<string[]> {
    // Who stands still before it hears the answer learns nothing by that of how long others were silent.
    const asked = instant();
    const all = [...(await this.#others()), ...(await this.#unlisted())];
    const gone = all.filter((runner) => this.#isGone(runner, asked));
    for (const { id, beat_at: beatAt } of gone) this.#last.set(id, beatAt);
    return gone.map(({ id }) => id);
  }

  /** As {@link gone}, for who asks again and again: undefined where that was a moment ago. */
  async goneNow(): Promise<readonly string[] | undefined> {
    if (this.#lookedAt !== undefined && ageOf(this.#lookedAt) < LOOK_EVERY_MS) return undefined;
    this.#lookedAt = instant();
    return this.gone();
  }

  /** As {@link gone}, for who asks only once: those who seem to be gone have their time to show themselves first. */
  async goneForSure(): Promise<string[]> {
    const gone = new Set(await this.gone());
    const silent = (await this.#others()).filter((other) => !gone.has(other.id) && this.#isLate(other));
    if (silent.length > 0) await sleep(BEATS_TO_SHOW * this.#beatMs + 1);
    return this.gone();
  }

  /** The other processes that may be working: all but those that are gone for sure. */
  async living(): Promise<string[]> {
    const gone = new Set(await this.goneForSure());
    return (await this.#others()).filter(({ id }) => !gone.has(id)).map(({ id }) => id);
  }

  /** Those of some processes that are gone for sure; one that is struck off was so before. */
  async goneAmong(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const living = new Set([this.id, ...(await this.living())]);
    return ids.filter((id) => !living.has(id));
  }

  /** Whether another process may be working on a job. */
  async areAt(job: string): Promise<boolean> {
    const living = await this.living();
    const found = this.#db
      .selectFrom("jobs")
      .select("id")
      .where("id", "=", job)
      .where("runner", "in", living);
    return (await found.executeTakeFirst()) !== undefined;
  }

  /**
   * Strikes those off that left nothing open, and have not shown themselves since they were found to be gone; what others left is still to
   * be found through them.
   */
  async forget(gone: readonly string[]): Promise<void> {
    if (gone.length === 0) return;
    const last = gone.map((id) => ({ id, beatAt: this.#last.get(id) ?? LEFT }));
    for (const id of gone) {
      this.#seen.delete(id);
      this.#last.delete(id);
    }
    await this.#db
      .deleteFrom("runners")
      .where((where) =>
        where.or(
          last.map(({ id, beatAt }) => where.and([where("id", "=", id), where("beat_at", "=", beatAt)])),
        ),
      )
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

  get #beatMs(): number {
    return this.lease.ms / BEATS;
  }

  #isGone(other: Runner, asked: Instant): boolean {
    const { id, pid, started, boot, pid_namespace: pidNamespace, beat_at: beatAt } = other;
    if (beatAt === LEFT) return true;
    if (isRunning({ pid, started, boot, pidNamespace }, this.#identity) === false) return true;
    const seen = this.#seen.get(id);
    if (seen?.beatAt !== beatAt) {
      this.#seen.set(id, { beatAt, at: instant() });
      return false;
    }
    // The calendar alone proves nothing: it may have been set, or the machine slept and all of us wake together.
    const silentHere = asked.monotonic - seen.at.monotonic;
    const hadTime = silentHere >= BEATS_TO_SHOW * this.#beatMs;
    return (this.#isLate(other) && hadTime) || silentHere > this.lease.ms;
  }

  #isLate({ beat_at: beatAt, now }: Runner): boolean {
    return beatAt !== UNLISTED && now - beatAt > this.lease.ms;
  }

  #others(): Promise<Runner[]> {
    const all = this.#db.selectFrom("runners").selectAll().select(NOW.as("now"));
    return all.where("id", "!=", this.id).execute();
  }

  /**
   * Those that work on jobs, and are not listed: nothing tells how long they have been silent but how long that is seen. It leaps from one to
   * the next in the index, so that it takes as long as there are processes, however many jobs they have.
   */
  async #unlisted(): Promise<Runner[]> {
    const found = await this.#db
      .withRecursive("working(id)", (db) =>
        db
          .selectFrom("jobs")
          .select(({ fn }) => fn.min<string | null>("runner").as("id"))
          .where("going_on", "=", GOING_ON)
          .unionAll(
            db
              .selectFrom("working")
              .select((working) =>
                working
                  .selectFrom("jobs")
                  .select(({ fn }) => fn.min("runner").as("id"))
                  .where("going_on", "=", GOING_ON)
                  .whereRef("runner", ">", "working.id")
                  .as("id"),
              )
              .where("working.id", "is not", null),
          ),
      )
      .selectFrom("working")
      .select("id")
      .where("id", "is not", null)
      .$narrowType<{ readonly id: string }>()
      .where("id", "not in", [this.id, NOBODY])
      .where("id", "not in", (listed) => listed.selectFrom("runners").select("id"))
      .execute();
    return found.map(({ id }) => unlisted(id));
  }
}

/**
 * The processes that share a database, as this one has to see them: on one machine, or on several.
 * @param rateWindowMs the service's window, in milliseconds
 */
export function openRunners(
  database: Database,
  rateWindowMs: number,
  events: Partial<RunnerEvents> = {},
): Runners {
  const isShared = !dialectOf(database.kysely).hasFiles;
  const leaseMs = isShared ? LEASE_ACROSS_MACHINES_MS : leaseFor(rateWindowMs);
  return new Runners(database, leaseMs, isShared ? identityAmongMachines() : ownIdentity(), events);
}

/** A process of which its id alone is known. */
function unlisted(id: string): Runner {
  return {
    id,
    pid: 0,
    started: null,
    boot: null,
    pid_namespace: null,
    beat_at: UNLISTED,
    now: UNLISTED,
  };
}

/** A process as the database lists it; see `ProcessIdentity`. */
interface Runner {
  readonly id: string;
  readonly pid: number;
  readonly started: string | null;
  readonly boot: string | null;
  readonly pid_namespace: string | null;
  readonly beat_at: number;
  /** When this was read, by the clock that `beat_at` is of. */
  readonly now: number;
}
