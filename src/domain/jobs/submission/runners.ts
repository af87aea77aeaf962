import { randomUUID } from "node:crypto";
import { keepTime } from "../../../infrastructure/storage/clock.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import { sleep, steady } from "../../../common/time.ts";
import { instant, type Instant, Lease, LEASE_MS } from "./lease.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "./process-identity.ts";
import { GOING_ON } from "../row.ts";

/** Signs of life within a lease. */
const BEATS = 6;

/** A silent process may have slept with its machine: it has so many beats' time to show itself. */
const BEATS_TO_SHOW = 2;

/** Instead of a time: it has left. */
const LEFT = 0;

/**
 * The registry of the processes that share a data folder: a server and a command-line run may work side by side, in
 * one container or in several, each on its own jobs. What a process left open when it died is found through here
 * and taken over.
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
  readonly #identity: ProcessIdentity;
  /** By process: its last sign of life, and when that was first seen here. */
  readonly #seen = new Map<string, { readonly beatAt: number; readonly at: Instant }>();
  readonly #onSetBack: (byMs: number) => void;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param leaseMs the same for all who share the folder, in milliseconds
   * @param identity who this process is
   * @param onSetBack is told by how many milliseconds the machine's clock was set back since the last sign of anybody's life
   */
  constructor(
    database: Database,
    leaseMs = LEASE_MS,
    identity = ownIdentity(),
    onSetBack: (byMs: number) => void = () => {},
  ) {
    this.#db = database.kysely;
    this.lease = new Lease(leaseMs);
    this.#identity = identity;
    this.#onSetBack = onSetBack;
  }

  /** Announces this process and keeps showing that it lives. */
  async start(): Promise<void> {
    await this.renew();
    this.#timer = setInterval(() => void this.renew().catch(() => undefined), this.#beatMs);
    this.#timer.unref();
  }

  /** Says that this process is leaving: whatever it left open may be taken over at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.lease.end();
    await this.#db.updateTable("runners").set({ beat_at: LEFT }).where("id", "=", this.id).execute();
  }

  /**
   * Shows that this process lives, and keeps the time (see `keepTime`). One that was taken for gone, because it stood still, is
   * listed again.
   */
  async renew(): Promise<void> {
    // Whoever asks for the time seldom learns by this that it was set back.
    steady();
    const at = instant();
    const { pid, started, boot, pidNamespace } = this.#identity;
    const row = { id: this.id, pid, started, boot, pid_namespace: pidNamespace, beat_at: at.wall };
    await this.#db
      .insertInto("runners")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
    this.lease.renew(at);
    const setBackMs = await keepTime({ kysely: this.#db });
    if (setBackMs > 0) this.#onSetBack(setBackMs);
  }

  /** The processes that are gone: killed, stopped, or silent for longer than the lease. */
  async gone(): Promise<string[]> {
    return (await this.#others()).filter((runner) => this.#isGone(runner)).map(({ id }) => id);
  }

  /** As {@link gone}, for who asks only once: those who seem to be gone have their time to show themselves first. */
  async goneForSure(): Promise<string[]> {
    const gone = new Set(await this.gone());
    const silent = (await this.#others()).filter(({ id, beat_at: at }) => !gone.has(id) && this.#isLate(at));
    if (silent.length > 0) await sleep(BEATS_TO_SHOW * this.#beatMs + 1);
    return this.gone();
  }

  /** Strikes those off that left nothing open; what others left is still to be found through them. */
  async forget(gone: readonly string[]): Promise<void> {
    if (gone.length === 0) return;
    for (const id of gone) this.#seen.delete(id);
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

  get #beatMs(): number {
    return this.lease.ms / BEATS;
  }

  #isGone({ id, pid, started, boot, pid_namespace: pidNamespace, beat_at: beatAt }: Runner): boolean {
    if (beatAt === LEFT) return true;
    if (isRunning({ pid, started, boot, pidNamespace }, this.#identity) === false) return true;
    const now = instant();
    const seen = this.#seen.get(id);
    if (seen?.beatAt !== beatAt) {
      this.#seen.set(id, { beatAt, at: now });
      return false;
    }
    // The calendar alone proves nothing: it may have been set, or the machine slept and all of us wake together.
    const silentHere = now.monotonic - seen.at.monotonic;
    const hadTime = silentHere >= BEATS_TO_SHOW * this.#beatMs;
    return (this.#isLate(beatAt) && hadTime) || silentHere > this.lease.ms;
  }

  #isLate(beatAt: number): boolean {
    return Date.now() - beatAt > this.lease.ms;
  }

  #others(): Promise<Runner[]> {
    return this.#db.selectFrom("runners").selectAll().where("id", "!=", this.id).execute();
  }
}

/** A process as the database lists it; see `ProcessIdentity`. */
interface Runner {
  readonly id: string;
  readonly pid: number;
  readonly started: string | null;
  readonly boot: string | null;
  readonly pid_namespace: string | null;
  readonly beat_at: number;
}
