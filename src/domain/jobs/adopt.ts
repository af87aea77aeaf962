import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { type Platform, PLATFORMS } from "../../seam/values.ts";
import { currentTime } from "../../common/time.ts";
import { after, type Job, type JobState } from "./job.ts";
import { fromRow, GOING_ON, toRow } from "./row.ts";

/** Who works on jobs whose outcome no process that knew of it could tell: whoever adopts them. */
export const NOBODY = "nobody";

/** What of it is taken over: of these surfaces, all or only what the service has, or may have, or some. */
interface Part {
  readonly surfaces: readonly Platform[];
  readonly atService?: boolean;
  /** Of these jobs; of any unless given. */
  readonly ids?: readonly string[] | undefined;
}

/** What the service has, or may have, of any surface but some. */
export const atServiceBut = (but: readonly Platform[]): Part => ({
  surfaces: PLATFORMS.filter((name) => !but.includes(name)),
  atService: true,
});

const AT_SERVICE: readonly JobState[] = ["submitting", "unsure", "running"];

/** Whether the service has a job that it is not done with, or may have it. */
export const isAtService = ({ state }: Pick<Job, "state">): boolean => AT_SERVICE.includes(state);

/**
 * Has a process work on what others left open, and what nobody works on; see `Ledger.adopt`.
 * @param runner the process that does from now on
 * @param gone those that do no more
 * @param part what of it
 * @returns what became of each
 */
export async function adoptJobs(
  { kysely }: Pick<Database, "kysely">,
  runner: string,
  gone: readonly string[],
  part: Part,
): Promise<readonly ReturnType<typeof setBack>[]> {
  const { surfaces, atService = false, ids } = part;
  // Looked for again and again, and hardly ever found: a process that stands still holds nothing that those who take over need.
  if (!(await hasOrphans(kysely, gone, part))) return [];
  // All at once: whoever works on this process's jobs comes upon none that is still to be set back.
  return exclusive(kysely, ["adopting"], async (db) => {
    const orphans = await db
      .updateTable("jobs")
      .set(({ eb }) => ({ runner, fence: eb("fence", "+", 1) }))
      .where("runner", "in", [...gone, NOBODY])
      .where("surface", "in", surfaces)
      .where("going_on", "=", GOING_ON)
      .$if(atService, (some) => some.where("state", "in", AT_SERVICE))
      .$if(ids !== undefined, (some) => some.where("id", "in", ids ?? []))
      .returningAll()
      .execute();
    const now = currentTime();
    const settled = orphans.map(fromRow).map((orphan) => setBack(orphan, now));
    for (const { job } of settled.filter(({ before }) => before))
      await db.updateTable("jobs").set(toRow(job)).where("id", "=", job.id).execute();
    return settled;
  });
}

async function hasOrphans(
  db: Database["kysely"],
  gone: readonly string[],
  { surfaces, atService = false, ids }: Part,
): Promise<boolean> {
  const orphan = await db
    .selectFrom("jobs")
    .select("id")
    .where("runner", "in", [...gone, NOBODY])
    .where("surface", "in", surfaces)
    .where("going_on", "=", GOING_ON)
    .$if(atService, (some) => some.where("state", "in", AT_SERVICE))
    .$if(ids !== undefined, (some) => some.where("id", "in", ids ?? []))
    .limit(1)
    .executeTakeFirst();
  return orphan !== undefined;
}

/**
 * What was on its way when its process died, as it can go on, and how it was before; everything else as it was.
 * @param now milliseconds since 1970
 */
export function setBack(orphan: Job, now: number): { readonly job: Job; readonly before: Job | undefined } {
  if (orphan.state === "submitting") return { job: after(orphan, { type: "lost", at: now }), before: orphan };
  if (orphan.delivery === "delivering") {
    const { awaits } = orphan;
    return {
      job: after(orphan, { type: "deferred", until: 0, awaits: awaits ?? undefined }),
      before: orphan,
    };
  }
  return { job: orphan, before: undefined };
}
