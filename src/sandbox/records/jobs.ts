import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Account, Accounts } from "./accounts.ts";
import { tokens } from "./formats.ts";
import { lagMs } from "../liberties/lags.ts";
import type { Liberties } from "../liberties/liberties.ts";
import { readJob, readSubmission, type Job, type JobType, type Submission } from "./records.ts";
import { Refusal } from "./refusal.ts";
import { slotMessage, slotsOf } from "./slots.ts";
import { NO_WORDS, type Store } from "./store.ts";

/** A job about to be accepted. */
export interface NewJob extends Pick<
  Job,
  "id" | "type" | "operation" | "host" | "cost" | "final_cost" | "planned_ms" | "failure" | "request"
> {}

/** Of what a failed job cost, what is given back. */
const REFUNDED: Readonly<Record<Liberties["refunds"], number>> = { all: 1, half: 0.5, none: 0 };

/** As the index of open jobs has it. */
const RUNNING = "status IN ('SUBMITTED', 'IN_PROGRESS')";

/** What the worker asks for many times a second, prepared once. */
const prepareTicks = (db: DatabaseSync) => ({
  /** What is going to fail has nothing to render, and begins at once. */
  failing: db.prepare(
    `UPDATE jobs SET status = 'IN_PROGRESS', started_at = ? WHERE status = 'SUBMITTED' AND rendered = 1`,
  ),
  unrendered: db.prepare(
    `SELECT * FROM jobs WHERE ${RUNNING} AND rendered = 0 ORDER BY created_at, rowid LIMIT ?`,
  ),
  /** Whether time may change anything. */
  open: db.prepare(`SELECT 1 FROM jobs WHERE ${RUNNING} UNION ALL SELECT 1 FROM refunds LIMIT 1`),
  progress: db.prepare(
    `UPDATE jobs
     SET progress = max(progress, min(99, CAST((:now - started_at) * 99.0 / max(planned_ms, 1) AS INTEGER)))
     WHERE ${RUNNING} AND status = 'IN_PROGRESS'`,
  ),
  due: db.prepare(
    `SELECT * FROM jobs
     WHERE ${RUNNING} AND status = 'IN_PROGRESS' AND rendered = 1 AND started_at + planned_ms <= ?`,
  ),
  refunds: db.prepare("DELETE FROM refunds WHERE due <= ? RETURNING account_id, amount"),
});

/** The stored jobs: accepted and charged here, moved here, read here. */
export class Jobs {
  readonly #store: Store;
  readonly #db: DatabaseSync;
  readonly #ticks: ReturnType<typeof prepareTicks>;
  readonly #accounts: Accounts;
  readonly #liberties: Liberties;
  readonly #refundLagMs: number;

  /** @param timeScale stretches or shrinks how late tokens are given back */
  constructor(store: Store, accounts: Accounts, liberties: Liberties, timeScale: number) {
    this.#store = store;
    this.#db = store.db;
    this.#ticks = prepareTicks(store.db);
    this.#accounts = accounts;
    this.#liberties = liberties;
    this.#refundLagMs = lagMs(liberties.refundLag, timeScale);
  }

  /** An id for a job that is about to be accepted. */
  newId(): string {
    const id = randomUUID();
    return this.#liberties.ids === "upper" ? id.toUpperCase() : id;
  }

  /**
   * Accepts and charges a job, both or neither.
   * @returns what the account has left, in hundredths of a token
   * @throws Refusal 429 without a free slot, 402 without the tokens
   */
  accept(account: Account, job: NewJob): number {
    const at = Date.now();
    return this.#store.transaction(() => {
      const { tokens: balance, tier } = this.#accounts.reload(account);
      const slots = slotsOf(tier, this.#liberties);
      if (this.running(account) >= slots) throw new Refusal(429, slotMessage(slots, this.#liberties));
      if (balance < job.cost)
        throw new Refusal(
          402,
          `Insufficient tokens: ${tokens(job.cost)} needed, ${tokens(balance)} available.`,
        );
      this.#insert(account, job, at);
      this.#accounts.charge(account.id, job.cost);
      const { prompt = null, in_app_username = null, platform = null } = job.request;
      const template = job.request.lora_template ?? job.request.template ?? job.request.template_id ?? null;
      this.#db
        .prepare(
          `INSERT INTO submissions (job_id, account, type, cost, template, prompt, in_app_username, platform, at)
           VALUES (:id, :account, :type, :cost, :template, :prompt, :in_app_username, :platform, :at)`,
        )
        .run({
          id: job.id,
          account: account.name,
          type: job.type,
          cost: job.cost,
          template,
          prompt,
          in_app_username,
          platform,
          at,
        });
      return this.#accounts.balance(account.id);
    });
  }

  /** Runs all of it or nothing of it. */
  together<T>(work: () => T): T {
    return this.#store.transaction(work);
  }

  /** Adds a job that completed in the past, without a result file and without a charge. */
  addPast(account: Account, past: Pick<Job, "type" | "operation" | "cost" | "request">, at: number): void {
    const id = this.newId();
    const job = {
      ...past,
      id,
      host: "primary",
      final_cost: past.cost,
      planned_ms: 0,
      failure: null,
    } as const;
    this.#insert(account, job, at);
    this.#db
      .prepare(
        `UPDATE jobs SET status = 'COMPLETED', progress = 100, rendered = 1, started_at = :started, completed_at = :ended
         WHERE id = :id`,
      )
      .run({ id, started: at + 1000, ended: at + 15_000 });
  }

  #insert(account: Account, job: NewJob, at: number): void {
    this.#db
      .prepare(
        `INSERT INTO jobs (id, account_id, type, operation, host, status, progress, created_at, planned_ms, rendered, failure,
           cost, reserved, final_cost, request)
         VALUES (:id, :account, :type, :operation, :host, 'SUBMITTED', 0, :at, :planned, :rendered, :failure,
           :cost, :cost, :final_cost, :request)`,
      )
      .run({
        id: job.id,
        account: account.id,
        type: job.type,
        operation: job.operation,
        host: job.host,
        at,
        planned: Math.round(job.planned_ms),
        // A job that is going to fail has nothing to render.
        rendered: job.failure === null ? 0 : 1,
        failure: job.failure,
        cost: job.cost,
        final_cost: job.final_cost,
        request: JSON.stringify(job.request),
      });
  }

  /** How many of an account's jobs have not ended. */
  running(account: Account): number {
    return this.#count(`SELECT count(*) AS n FROM jobs WHERE account_id = ? AND ${RUNNING}`, account.id);
  }

  /** How many submissions were ever accepted. */
  accepted(): number {
    return this.#count("SELECT count(*) AS n FROM submissions");
  }

  /** How often each template was used in jobs of these types: ids of different catalogues may be the same. */
  templateUses(...types: readonly JobType[]): ReadonlyMap<string, number> {
    const rows = this.#db
      .prepare(
        `SELECT template, count(*) AS n FROM submissions
         WHERE template NOT NULL AND type IN (SELECT value FROM json_each(?)) GROUP BY template`,
      )
      .all(JSON.stringify(types));
    return new Map(rows.map((row) => [String(row["template"]), Number(row["n"])]));
  }

  /** A job, whoever owns it. */
  get(id: string): Job | undefined {
    const row = this.#db.prepare("SELECT * FROM jobs WHERE id = ?").get(id);
    return row && readJob(row);
  }

  /** An account's own job. */
  find(account: Account, id: string): Job | undefined {
    const job = this.get(id);
    return job?.account_id === account.id ? job : undefined;
  }

  /** An account's jobs, newest first. */
  of(account: Account): readonly Job[] {
    return this.#db
      .prepare("SELECT * FROM jobs WHERE account_id = ? ORDER BY created_at DESC, rowid DESC")
      .all(account.id)
      .map(readJob);
  }

  /**
   * Jobs whose result is not made yet, oldest first.
   * @param most how many are looked at: thousands may wait, and this is asked for many times a second
   */
  unrendered(most: number): readonly Job[] {
    return this.#ticks.unrendered.all(most).map(readJob);
  }

  /** Every accepted submission, oldest first. */
  submissions(): readonly Submission[] {
    return this.#db.prepare("SELECT * FROM submissions ORDER BY number").all().map(readSubmission);
  }

  /** A job begins. */
  start(id: string): void {
    this.#db
      .prepare("UPDATE jobs SET status = 'IN_PROGRESS', started_at = ? WHERE id = ? AND status = 'SUBMITTED'")
      .run(Date.now(), id);
  }

  /**
   * A job's result is on disk, or will never be.
   * @param failure why it will never be; null when it is on disk
   */
  rendered(id: string, failure: string | null): void {
    this.#db.prepare("UPDATE jobs SET rendered = 1, failure = ? WHERE id = ?").run(failure, id);
  }

  /** Moves progress along and ends the jobs whose time has come, settling what they cost. */
  advance(): void {
    this.#move();
    this.#store.catchUp();
  }

  #move(): void {
    if (this.#ticks.open.get() === undefined) return;
    const now = Date.now();
    this.#store.transaction(() => {
      this.#payRefunds(now);
      this.#ticks.failing.run(now);
      this.#ticks.progress.run({ now });
      const due = this.#ticks.due.all(now).map(readJob);
      for (const job of due) this.#end(job, now);
    });
  }

  #end({ id, account_id, reserved, final_cost, failure }: Job, now: number): void {
    // What was reserved and is not needed goes back; what is missing is taken, as far as there is any.
    const affordable = reserved + this.#accounts.balance(account_id);
    const refund = Math.round(reserved * REFUNDED[this.#liberties.refunds]);
    const left = failure === null ? Math.min(final_cost, affordable) : reserved - refund;
    if (failure === null || this.#refundLagMs === 0) this.#accounts.charge(account_id, left - reserved);
    else this.#refundLater(account_id, refund, now + this.#refundLagMs);
    const cost = failure !== null && this.#liberties.failedCost === "charged" ? reserved : left;
    const end = failure === null ? "status = 'COMPLETED', progress = 100" : "status = 'FAILED'";
    this.#db.prepare(`UPDATE jobs SET ${end}, cost = ?, completed_at = ? WHERE id = ?`).run(cost, now, id);
  }

  #refundLater(accountId: number, amount: number, due: number): void {
    this.#db
      .prepare("INSERT INTO refunds (account_id, amount, due) VALUES (?, ?, ?)")
      .run(accountId, amount, due);
  }

  #payRefunds(now: number): void {
    for (const { account_id, amount } of this.#ticks.refunds.all(now))
      this.#accounts.charge(Number(account_id), -Number(amount));
  }

  /**
   * Removes a job, and what it was made of.
   * @throws Refusal 400 where one that runs is not to be deleted
   */
  remove({ id, account_id, status, cost }: Job): void {
    const runs = status === "SUBMITTED" || status === "IN_PROGRESS";
    const { deleteRunning, deletedCost } = this.#liberties;
    if (runs && deleteRunning === "refused") throw new Refusal(400, "The job is still running.");
    this.#store.erasing(() => {
      this.#db.prepare("DELETE FROM jobs WHERE id = ?").run(id);
      this.#db.prepare(`UPDATE submissions SET ${NO_WORDS} WHERE job_id = ?`).run(id);
      if (runs && deletedCost === "returned") this.#accounts.charge(account_id, -cost);
    });
  }

  #count(sql: string, ...values: (string | number)[]): number {
    return Number(this.#db.prepare(sql).get(...values)?.["n"]);
  }
}
