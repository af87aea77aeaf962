import { createHash } from "node:crypto";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { Period } from "../../seam/access/budgets.ts";
import { endOf } from "../budgets/budget.ts";
import type { Job } from "../jobs/job.ts";
import { beginningOf } from "../jobs/requests.ts";
import { currentTime } from "../../common/time.ts";

const NAMESPACE = "tally";

/** What is counted: what somebody, or everybody in a group, begins in a day or a month (UTC). */
export interface Tallied {
  /** Who begins it: a person, a group, a partner, one of a partner's users. */
  readonly by: string;
  /** Whose tokens; see `payerOf`; left out: anybody's. */
  readonly payer?: string;
  readonly period: Period;
}

/** Up to how many jobs may be begun. */
export interface Cap extends Tallied {
  readonly max: number;
}

/** Where a job was counted, and until when that counts, in milliseconds since 1970. */
type CountedJob = readonly [entry: string, until: number];

/**
 * What was begun today, or this month. It is kept apart from the jobs, because deleting one gives nothing back; and
 * under digests, because until its period ends it outlasts a person's wish to be forgotten.
 */
export class UsageCounter {
  readonly #database: Pick<Database, "kysely">;

  /** @param database the open database; inside a transaction `{ kysely: transaction }` */
  constructor(database: Pick<Database, "kysely">) {
    this.#database = database;
  }

  /** How many were begun. */
  async count(counted: Tallied): Promise<number> {
    return (await memory(this.#database, NAMESPACE).get<number>(entryOf(counted))) ?? 0;
  }

  /** The first cap that is reached. */
  async reached<C extends Cap>(caps: readonly C[]): Promise<C | undefined> {
    for (const cap of caps) if ((await this.count(cap)) >= cap.max) return cap;
    return undefined;
  }

  /**
   * Counts one more under each cap unless one is reached. In a transaction: of several at the same moment only as
   * many begin as may.
   * @param job what is begun
   * @returns the cap that is reached
   */
  async begin<C extends Cap>(caps: readonly C[], job: string): Promise<C | undefined> {
    const reached = await this.reached(caps);
    if (reached) return reached;
    const counted = caps.map((cap): CountedJob => [entryOf(cap), endOf(cap.period, currentTime())]);
    for (const [entry, until] of counted) await add(this.#database, entry, 1, until);
    const last = Math.max(...counted.map(([, until]) => until));
    if (counted.length > 0)
      await memory(this.#database, NAMESPACE).set(jobEntry(job), counted, last - currentTime());
    return undefined;
  }

  /** Counts at least so many: those that were begun while nobody counted. In a transaction in which nobody begins any. */
  async countAtLeast(counted: Tallied, begun: number): Promise<void> {
    const more = begun - (await this.count(counted));
    if (more > 0) await add(this.#database, entryOf(counted), more, endOf(counted.period, currentTime()));
  }

  /** Notes that a job was counted there, too, so that it is given back if it comes to nothing. In such a transaction. */
  async note(job: string, there: readonly Tallied[]): Promise<void> {
    const entries = memory(this.#database, NAMESPACE);
    const all = new Map((await entries.get<readonly CountedJob[]>(jobEntry(job))) ?? []);
    for (const counted of there) all.set(entryOf(counted), endOf(counted.period, currentTime()));
    const last = Math.max(...all.values());
    if (all.size > 0) await entries.set(jobEntry(job), [...all], last - currentTime());
  }

  /** Takes back what a job counted as that came to nothing and cost nothing; once, and for nothing in a period that is over. */
  async giveBack({ id: job, ...begun }: Pick<Job, "id" | "user" | "chat">): Promise<void> {
    await exclusive(this.#database.kysely, beginningOf(begun), async (kysely) => {
      const entries = memory({ kysely }, NAMESPACE);
      const counted = await entries.get<readonly CountedJob[]>(jobEntry(job));
      if (!counted) return;
      await entries.delete(jobEntry(job));
      for (const [entry, until] of counted)
        if (until > currentTime()) await add({ kysely }, entry, -1, until);
    });
  }
}

/** The period is in it: what was begun before it does not count. */
function entryOf(counted: Tallied): string {
  const { by, payer = null, period } = counted;
  const entry = JSON.stringify([period, endOf(period, currentTime()), payer, by]);
  return createHash("sha256").update(entry).digest("base64url");
}

/** What a job was counted under. */
const jobEntry = (job: string) => `job ${job}`;

async function add(
  database: Pick<Database, "kysely">,
  entry: string,
  more: number,
  until: number,
): Promise<void> {
  const counts = memory(database, NAMESPACE);
  const count = ((await counts.get<number>(entry)) ?? 0) + more;
  await counts.set(entry, Math.max(0, count), until - currentTime());
}
