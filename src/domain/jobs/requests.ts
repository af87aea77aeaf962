import { randomBytes } from "node:crypto";
import { idsFrom } from "../../common/ids.ts";
import type { UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { LockName } from "../../infrastructure/storage/exclusive.ts";
import type { Job } from "./job.ts";
import { fromRow, GOING_ON } from "./row.ts";

type Kysely = Database["kysely"];

/** For how long pressing once more means the press before, in milliseconds: people press again where no answer shows. */
const PRESS_MS = 10_000;

/** What is decided by before a job begins, and changes with it: what its person, and its group, have begun and may begin. */
export function beginningOf({ user, chat }: Pick<Job, "user" | "chat">): readonly LockName[] {
  return [`user:${user}`, ...(chat === null ? [] : ([`chat:${chat}`] as const))];
}

/** The job that a request of a platform made. */
export async function madeBy(kysely: Kysely, request: string): Promise<Job | undefined> {
  const row = await kysely.selectFrom("jobs").selectAll().where("request", "=", request).executeTakeFirst();
  return row && fromRow(row);
}

/** Whether a job of somebody was made of a press within {@link PRESS_MS}. */
export async function wasPressed(kysely: Kysely, user: UserId, press: string, now: number): Promise<boolean> {
  const since = now - PRESS_MS;
  const found = await kysely
    .selectFrom("jobs")
    .select("id")
    .where("user", "=", user)
    // Of thousands of jobs of a person only the newest are looked at.
    .where("id", ">", idsFrom(since))
    .where("press", "=", press)
    .where("created_at", ">", since)
    // What seems to be of the future dates from before the clock was set back: of a moment ago only where it is going on.
    .where((where) => where.or([where("created_at", "<=", now), where("going_on", "=", GOING_ON)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Sorts by time; see {@link idsFrom}. The rest is chance. */
export function newId(now: number): string {
  return idsFrom(now) + randomBytes(5).toString("hex");
}
