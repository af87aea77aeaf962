import type {
  EventType,
  Events,
  JobEvent,
  NewEvent,
  OpenTransaction,
  PartnerEventType,
} from "../../seam/events.ts";
import type { Json } from "../../common/json.ts";
import type { UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive, exclusiveStatement, type LockName } from "../../infrastructure/storage/exclusive.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import { JobFollowers, type JobListener } from "./job-followers.ts";
import { type Deliveries, webhooksOf } from "./deliveries.ts";
import { PROGRESS } from "./due.ts";
import { currentTime } from "../../common/time.ts";

interface Row {
  readonly id: number;
  readonly job: string;
  readonly type: string;
  readonly data: string;
  readonly at: number;
}

/** One that is still to be written. */
type NewRow = Pick<Row, "job" | "type" | "data" | "at"> & { readonly user: UserId };

const COLUMNS = ["id", "job", "type", "data", "at"] as const;

/** What happened to partners' jobs: on disk, together with who is to be told of it. */
export class JobEvents implements Events {
  readonly #db: Database["kysely"];
  readonly #deliveries: Deliveries;
  readonly #now: () => number;
  readonly #followers: JobFollowers;

  /** @param now milliseconds since 1970 */
  constructor(database: Database, deliveries: Deliveries, now: () => number = currentTime) {
    this.#db = database.kysely;
    this.#followers = new JobFollowers(database);
    this.#deliveries = deliveries;
    this.#now = now;
  }

  async append(
    { user, job, type, data, callback }: NewEvent,
    also?: (within: OpenTransaction) => Promise<void>,
  ): Promise<JobEvent> {
    const at = this.#now();
    const values = { user, job, type, data: JSON.stringify(data), at };
    const append = async (db: Database["kysely"]) => {
      await also?.({ kysely: db });
      const { event, fresh } = await appendTo(db, values);
      return { event, fresh, due: fresh ? await this.#deliveries.add(db, event, user, callback) : [] };
    };
    // Most steps are asked for and told to nobody: one statement, which needs no transaction around it.
    const targets = await this.#deliveries.targetsOf(this.#db, user, type, callback);
    const { event, fresh, due } =
      targets.length > 0 || also
        ? await exclusive(this.#db, [nameOf(job), webhooksOf(user)], append)
        : { ...(await exclusiveStatement(this.#db, [nameOf(job)], (db) => appendTo(db, values))), due: [] };
    if (fresh) this.#followers.tell(job, event);
    if (due.length > 0) this.#deliveries.ring(due);
    return event;
  }

  async begin({ user, job, type, data, callback }: NewEvent, { kysely }: OpenTransaction): Promise<boolean> {
    // Who is to be told where depends on more than what the job's transaction has named.
    if ((await this.#deliveries.targetsOf(kysely, user, type, callback)).length > 0) return false;
    await insertEvent(kysely, { user, job, type, data: JSON.stringify(data), at: this.#now() });
    return true;
  }

  async warn(user: UserId, type: PartnerEventType, data: Json): Promise<void> {
    await this.#deliveries.addWarning(user, type, data, this.#now());
  }

  async since(job: string, id: number): Promise<JobEvent[]> {
    const rows = await this.#db
      .selectFrom("job_events")
      .select(COLUMNS)
      .where("job", "=", job)
      .where("id", ">", id)
      .orderBy("id")
      .execute();
    return rows.map(fromRow);
  }

  async isKept(job: string): Promise<boolean> {
    return (await this.#db.selectFrom("jobs").select("id").where("id", "=", job).execute()).length > 0;
  }

  follow(job: string, listener: JobListener): () => void {
    return this.#followers.follow(job, listener);
  }

  async forget(job: string): Promise<void> {
    await exclusive(this.#db, [nameOf(job)], async (db) => {
      await db.deleteFrom("job_events").where("job", "=", job).execute();
      await this.#deliveries.forgetJob(db, job);
    });
    this.#followers.tell(job);
  }

  /** Erases what happened to all jobs of a partner. */
  async forgetUser(user: UserId): Promise<void> {
    await this.#db.deleteFrom("job_events").where("user", "=", user).execute();
  }

  /** Erases steps on the way that are older than this; how a job ended stays as long as the job. */
  async sweep(before: number): Promise<void> {
    await this.#db.deleteFrom("job_events").where("type", "=", PROGRESS).where("at", "<", before).execute();
  }
}

const nameOf = (job: string): LockName => `job:${job}`;

/** Nothing comes after a job's end: whoever would append to that gets the end. */
async function appendTo(db: Database["kysely"], event: NewRow) {
  const { rows } = await insertEvent(db, event);
  const [row] = rows;
  if (row) return { event: fromRow(row), fresh: true };
  return { event: fromRow(await endOf(db, event.job).executeTakeFirstOrThrow()), fresh: false };
}

const insertEvent = prepared((db, { user, job, type, data, at }: NewRow) =>
  db
    .insertInto("job_events")
    .columns(["user", "job", "type", "data", "at"])
    .expression(
      db
        .selectNoFrom((row) => [
          row.val(user).as("user"),
          row.val(job).as("job"),
          row.val(type).as("type"),
          row.val(data).as("data"),
          row.val(at).as("at"),
        ])
        .where((row) => row.not(row.exists(endOf(db, job)))),
    )
    .returning(COLUMNS),
);

const endOf = (db: Database["kysely"], job: string) =>
  db
    .selectFrom("job_events")
    .select(COLUMNS)
    .where("job", "=", job)
    .where("type", "!=", "job.progress" satisfies EventType);

function fromRow({ id, job, type, data, at }: Row): JobEvent {
  return { id, job, type: type as EventType, data: JSON.parse(data) as Json, at };
}
