import { EventEmitter } from "node:events";
import type { JobQuery } from "../../seam/access/jobs.ts";
import type { OpenedChat } from "../../seam/surface/surface.ts";
import type { Platform, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import {
  atomically,
  exclusive,
  exclusiveStatement,
  type LockName,
} from "../../infrastructure/storage/exclusive.ts";
import { isStorageDown } from "../../infrastructure/storage/keeper.ts";
import { ReelayError } from "../../common/errors.ts";
import { ageOf, instant } from "../../common/time.ts";
import type { KeySource } from "../accounts/accounts.ts";
import type { Traits } from "./traits.ts";
import { type CountQuery, countJobs, roomFor } from "./count.ts";
import { forgetJobs, forgetSums, removeJob } from "./erase.ts";
import { adoptJobs, atServiceBut, isAtService } from "./adopt.ts";
import { acceptedLast, holders, othersSince } from "./accepted.ts";
import { trace } from "./trace.ts";
import {
  IllegalTransition,
  type Job,
  type JobChange,
  type JobRequest,
  newJob,
  type Transition,
  type OpenState,
} from "./job.ts";
import { type Lane, nextQueued } from "./lane.ts";
import { aheadOf, jobsOf, unreached, waitingForKey } from "./listing.ts";
import { beginningOf, madeBy, newId, wasPressed } from "./requests.ts";
import { fromRow, GOING_ON, insertRow, json, rowOf, toRow, UNDELIVERED, writeReceipt } from "./row.ts";
import { isOthers, settlesBudgets, stepped, writeRetelling, writeStep, type Writer } from "./step.ts";

/** For how long a job is this process's that was so when it was read, in milliseconds: nobody takes one over that soon (see `Lease`). */
export const OURS_MS = 1_000;

/** What is known of a job when it is asked for. */
export type NewJob = JobRequest & {
  /** What was pressed for it; see `Origin.press`. */
  readonly press?: string | null;
  /** What is to be known of what it makes. */
  readonly traits?: Traits | null;
  /** Whose key pays. */
  readonly paidBy?: KeySource | null;
};

/**
 * What is to be done in the transaction that writes a job; what it throws keeps the job from being written.
 * @returns what else is to be kept with it: what finds its message again, where that is known before there is one, and what it
 * counts for in budgets; and whether its person was told of it with that
 */
export type Within = (
  transaction: Pick<Database, "kysely">,
  job: Job,
) => Promise<(Partial<Pick<Job, "receipt" | "held">> & Pick<JobChange, "isShown">) | void>;

/**
 * Every job's whole life, on disk before anything leaves. It is the only thing that submitter, poller and
 * outbox share: each changes a job here, and the others hear of it.
 */
export class Ledger {
  readonly #database: Database;
  readonly #db: Database["kysely"];
  readonly #writer: Writer;
  readonly #changes = new EventEmitter<{ change: [JobChange] }>();

  /** @param runner the process that works on the jobs it writes or adopts; see `Runners` @param tellsInDatabase see {@link Writer} */
  constructor(database: Database, runner: string, tellsInDatabase: Writer["tellsInDatabase"] = () => false) {
    this.#database = database;
    this.#db = database.kysely;
    this.#writer = { runner, tellsInDatabase, others: new Map() };
    this.#changes.setMaxListeners(0);
  }

  /** Calls back after each change that this process made. Returns the way to stop it. */
  onChange(listener: (change: JobChange) => void): () => void {
    this.#changes.on("change", listener);
    return () => this.#changes.off("change", listener);
  }

  /**
   * Writes a new job: from here on Reelay has promised to deliver it.
   * @param within done just before, unless the same request made a job already
   * @returns the job; where the same request made one before, that one
   * @throws ReelayError `already_begun` where the same press made one within seconds
   */
  async add(
    { press = null, traits = null, paidBy = null, ...request }: NewJob,
    now: number,
    within: Within = async () => {},
  ): Promise<Job> {
    let job = newJob(request, newId(now), now);
    let isShown = false;
    try {
      await exclusive(this.#db, beginningOf(job), async (kysely) => {
        if (press !== null && (await wasPressed(kysely, request.user, press, now)))
          throw new ReelayError("already_begun");
        const { isShown: shown = false, ...kept } = (await within({ kysely }, job)) ?? {};
        job = { ...job, ...kept };
        isShown = shown;
        const news = { press, traits: json(traits), receipt: json(job.receipt), paid_by: paidBy };
        await insertRow(kysely, { ...toRow(job), ...news, runner: this.#writer.runner });
      });
    } catch (error) {
      // Whatever kept it from being written: its request may have made one before, and has one name for ever.
      const before = request.request !== null && (await madeBy(this.#db, request.request));
      if (before && before.id !== job.id) return before;
      // Where it is there all the same, it would be made whatever its person is told: it waits for the disk.
      if (!isStorageDown(error) || !(await this.find(job.id))) throw error;
      await this.keep(() => this.#database.check());
    }
    this.#changed({ job, before: undefined, isShown });
    return job;
  }

  /** Whether a job was made of a press lately. */
  wasPressed(user: UserId, press: string, now: number): Promise<boolean> {
    return wasPressed(this.#db, user, press, now);
  }

  /** The job that a request of a platform made. */
  madeBy(request: string): Promise<Job | undefined> {
    return madeBy(this.#db, request);
  }

  /**
   * Applies an event and writes the result, provided that nobody was faster, nor took the job over. Whoever has it told
   * once more works on it from then on.
   * @param receipt where the job's message is from now on; as it was unless given
   * @throws IllegalTransition when the event does not fit what the ledger holds
   */
  async apply(before: Job, event: Transition, receipt?: Job["receipt"]): Promise<Job> {
    const write = (kysely: Database["kysely"]) => writeStep({ kysely }, this.#writer, before, event, receipt);
    const { keyId = before.keyId } = event.type === "submitting" ? event : {};
    const alone = [`twin:${keyId}/${before.fingerprint}`] as const;
    const job = await (event.type === "submitting"
      ? exclusiveStatement(this.#db, alone, write)
      : settlesBudgets(before, event)
        ? atomically(this.#db, write)
        : write(this.#db));
    this.#changed({ job, before });
    return job;
  }

  /**
   * As {@link apply}, in somebody else's transaction.
   * @returns tells others of it; to be called once that is committed
   */
  async applyWithin(
    within: Pick<Database, "kysely">,
    before: Job,
    event: Transition,
    receipt?: Job["receipt"],
  ): Promise<() => void> {
    const job = await writeStep(within, this.#writer, before, event, receipt);
    return () => this.#changed({ job, before });
  }

  /** Whether a step is there that a transaction wrote which failed: then only its flush did. Once it is on disk, others hear of it. */
  async isThere(before: Job, event: Transition): Promise<boolean> {
    await this.keep(() => this.#database.check());
    return (await this.#there(before, event)) !== undefined;
  }

  /**
   * As {@link apply}, of what has happened outside already and cannot be undone there: again, until it is written.
   * @throws IllegalTransition as {@link apply}; ReelayError `storage_down` where this process leaves before
   */
  settle(before: Job, event: Transition, receipt?: Job["receipt"]): Promise<Job> {
    let isUncertain = false;
    return this.keep(async () => {
      try {
        return await this.apply(before, event, receipt);
      } catch (error) {
        const there = isUncertain && error instanceof IllegalTransition && (await this.#there(before, event));
        isUncertain ||= isStorageDown(error);
        if (there) return there;
        throw error;
      }
    });
  }

  /** Does what writes of what has happened outside until it is written; see `Keeper`. */
  keep<T>(write: () => Promise<T>): Promise<T> {
    return this.#database.keeper.keep(write);
  }

  /**
   * Has a job's outcome told anew, because what is to be told of it changes; in one transaction with that change.
   * @param surfaces those that this process can tell on; others are left to a process that adopts the job
   * @param change says whether it is told anew; the job stays as it is meanwhile
   * @param names what else it depends on
   * @returns what it says; undefined for a job that is gone
   */
  async retell<T extends { readonly retell: boolean }>(
    id: string,
    surfaces: readonly Platform[],
    change: (transaction: Pick<Database, "kysely">, job: Job) => Promise<T>,
    names: readonly LockName[] = [],
  ): Promise<T | undefined> {
    const done = await exclusive(this.#db, names, (kysely) =>
      writeRetelling({ kysely }, this.#writer.runner, id, surfaces, change),
    );
    if (done?.change) {
      trace("retell", done.change.job);
      this.#changed(done.change);
    }
    return done?.outcome;
  }

  /**
   * Remembers where the job's message is; that is no step of its life.
   * @throws IllegalTransition when this process does not work on it any more
   */
  async keepReceipt({ id, fence }: Pick<Job, "id" | "fence">, receipt: Job["receipt"]): Promise<void> {
    await writeReceipt({ kysely: this.#db }, id, receipt, { runner: this.#writer.runner, fence });
  }

  /** What is to be known of what a job makes; undefined where an earlier version wrote it. */
  async traitsOf(id: string): Promise<Traits | undefined> {
    const row = await rowOf(this.#database, id);
    return row?.traits ? (JSON.parse(row.traits) as Traits) : undefined;
  }

  /** Whether this process works on a job. */
  async isMine(id: string): Promise<boolean> {
    return (await this.#mine().where("id", "=", id).executeTakeFirst()) !== undefined;
  }

  async find(id: string): Promise<Job | undefined> {
    const row = await rowOf(this.#database, id);
    return row && fromRow(row);
  }

  /**
   * A job as it is kept, read so lately that nobody can have taken it over since; undefined where somebody has, because this process
   * stood still: what is told of it others tell.
   */
  async stillOurs({ id, fence }: Pick<Job, "id" | "fence">): Promise<Job | undefined> {
    for (;;) {
      const askedAt = instant();
      const kept = await this.find(id);
      if (kept?.fence !== fence) return undefined;
      if (ageOf(askedAt) < OURS_MS) return kept;
    }
  }

  /** A person's own jobs, newest first. */
  ofUser(user: UserId, sought: JobQuery): Promise<Job[]> {
    return jobsOf({ kysely: this.#db }, user, sought);
  }

  /** This process's jobs in one state, oldest first. */
  async inState(state: OpenState): Promise<Job[]> {
    return (await this.#mine().where("going_on", "=", GOING_ON).where("state", "=", state).execute()).map(
      fromRow,
    );
  }

  /** A user's jobs that wait for a key, or a group's. */
  waitingForKey(payer: Parameters<typeof waitingForKey>[1]): Promise<Job[]> {
    return waitingForKey({ kysely: this.#db }, payer);
  }

  /** What nobody could be told in a chat, oldest first. */
  unreached(chat: OpenedChat): Promise<readonly Job[]> {
    return unreached({ kysely: this.#db }, chat);
  }

  /** This process's job of a lane that is to leave next: see {@link nextQueued}. */
  nextQueued(lane: Lane): Promise<Job | undefined> {
    return nextQueued(this.#db, this.#writer.runner, lane);
  }

  /** This process's jobs whose outcome may be told now, but for some and some people's: the oldest so many. */
  async undelivered(
    now: number,
    limit: number,
    { jobs, users }: { readonly jobs: readonly string[]; readonly users: readonly UserId[] },
  ): Promise<Job[]> {
    // From the index alone: thousands may be waiting.
    const due = this.#undelivered()
      .select("id")
      .where("not_before", "<=", now)
      .$if(jobs.length > 0, (others) => others.where("id", "not in", jobs))
      .$if(users.length > 0, (others) => others.where("user", "not in", users));
    return (await this.#mine().where("id", "in", due.orderBy("id").limit(limit)).execute()).map(fromRow);
  }

  /** When the next outcome may be told that may not be told yet; undefined where there is none. */
  async nextDelivery(now: number): Promise<number | undefined> {
    const next = this.#undelivered().select(({ fn }) => fn.min("not_before").as("at"));
    return (await next.where("not_before", ">", now).executeTakeFirst())?.at ?? undefined;
  }

  /** How many jobs there are of a kind. */
  count(query: CountQuery): Promise<number> {
    return countJobs({ kysely: this.#db }, query);
  }

  /** How many jobs of a person go before these, as {@link aheadOf} counts. */
  ahead(user: UserId, jobs: Parameters<typeof aheadOf>[2]): ReturnType<typeof aheadOf> {
    return aheadOf({ kysely: this.#db }, user, jobs);
  }

  /** What keeps a job from leaving under a key, in every process: see {@link roomFor}. */
  roomFor(job: Job, keyId: string): ReturnType<typeof roomFor> {
    return roomFor({ kysely: this.#db }, job, keyId);
  }

  /** Jobs beside one: see {@link othersSince}. */
  othersSince(job: Job, since: number, serviceIds: readonly string[]): Promise<readonly Job[]> {
    return othersSince({ kysely: this.#db }, job, since, serviceIds);
  }

  /** The jobs that have these ids of the service, under whichever key. */
  holders(serviceIds: readonly string[]): Promise<readonly Job[]> {
    return holders({ kysely: this.#db }, serviceIds);
  }

  /** A host's jobs that were accepted last, under any key: so many at most. */
  acceptedLast(host: Job["host"], limit: number): Promise<readonly Job[]> {
    return acceptedLast({ kysely: this.#db }, host, limit);
  }

  /**
   * Takes over what processes that are gone left open on these surfaces, and what nobody works on. What was on its way when they
   * died is set back to a state from which it can go on: a submission is unsure, a delivery is due again.
   * @param ids of these jobs alone; of all unless given
   */
  async adopt(
    gone: readonly string[],
    surfaces: readonly Platform[],
    ids?: readonly string[],
  ): Promise<number> {
    const changes = await adoptJobs(this.#database, this.#writer.runner, gone, { surfaces, ids });
    for (const change of changes) this.#changed(change);
    return changes.length;
  }

  /** Takes over what processes that are gone left at the service, but for some surfaces, until that is done with it: others tell of it. */
  async takeFromService(gone: readonly string[], but: readonly Platform[]): Promise<number> {
    const { runner, others } = this.#writer;
    const changes = await adoptJobs(this.#database, runner, gone, atServiceBut(but));
    for (const { job } of changes) others.set(job.id, job.fence);
    for (const change of changes) this.#changed(change);
    return changes.length;
  }

  /** Erases a job, with what is done `within` the same transaction; what it counts for in sums stays. */
  async remove(id: string, within?: (transaction: Parameters<Within>[0]) => Promise<void>): Promise<void> {
    await removeJob({ kysely: this.#db }, id, within);
  }

  /**
   * Erases every job of a person; what they, and those erased before, count for in sums is nobody's from now on.
   * @throws ReelayError `jobs_open` as long as something of theirs is going on
   */
  async forget(user: UserId): Promise<void> {
    await forgetJobs({ kysely: this.#db }, user);
  }

  /** Takes a partner's name for somebody out of the sums. */
  async forgetName(user: UserId, username: string): Promise<void> {
    await forgetSums({ kysely: this.#db }, user, username);
  }

  /** What a step made of a job whose writing failed, where it is there all the same: only its flush failed. */
  async #there(before: Job, event: Transition): Promise<Job | undefined> {
    const { id, fence, state, delivery } = stepped(this.#writer, before, event);
    const row = await this.#mine()
      .where("id", "=", id)
      .where("fence", "=", fence)
      .where("state", "=", state)
      .where("delivery", "=", delivery)
      .executeTakeFirst();
    const job = row && fromRow(row);
    if (job) this.#changed({ job, before });
    return job;
  }

  #mine() {
    return this.#db.selectFrom("jobs").selectAll().where("runner", "=", this.#writer.runner).orderBy("id");
  }

  #undelivered() {
    return this.#db.selectFrom("jobs").where("runner", "=", this.#writer.runner).where(UNDELIVERED);
  }

  #changed(change: JobChange): void {
    const { job, before = job } = change;
    trace(job.state, job, change.before ?? null);
    this.#changes.emit("change", isOthers(this.#writer, before) ? { ...change, isOthers: true } : change);
    if (!isAtService(job)) this.#writer.others.delete(job.id);
  }
}
