import type { Database } from "../../infrastructure/storage/database.ts";
import { twinsInFlight } from "./accepted.ts";
import { after, IllegalTransition, type Job, type Transition } from "./job.ts";
import { changedColumns, json } from "./row.ts";

/** What whoever asked for a job may do with it, in whichever process that is heard of. Everything else is its runner's. */
const ANYBODYS: ReadonlySet<Transition["type"]> = new Set(["cancelled", "redeliver", "woken"]);

/**
 * Writes a step of a job's life, provided that nobody was faster, nor took it over.
 * @param receipt where the job's message is from now on; as it was unless given
 * @throws IllegalTransition when the event does not fit what is there
 */
export async function writeStep(
  { kysely }: Pick<Database, "kysely">,
  runner: string,
  before: Job,
  event: Transition,
  receipt?: Job["receipt"],
): Promise<Job> {
  const takes = event.type === "redeliver";
  const job = { ...after(before, event), ...(takes && { fence: before.fence + 1 }) };
  const changed = await kysely
    .updateTable("jobs")
    .set({
      ...changedColumns(before, job),
      ...(receipt !== undefined && { receipt: json(receipt) }),
      ...(takes && { runner, fence: job.fence }),
    })
    .where("id", "=", job.id)
    .where("state", "=", before.state)
    .where("delivery", "=", before.delivery)
    .$if(!ANYBODYS.has(event.type), (own) =>
      own.where("runner", "=", runner).where("fence", "=", before.fence),
    )
    // If both answers were lost, nobody could tell which of two twins the service accepted.
    .$if(event.type === "submitting", (alone) =>
      alone.where((where) => where.not(where.exists(twinsInFlight({ kysely }, job)))),
    )
    .returningAll()
    .execute();
  if (changed.length === 0) throw new IllegalTransition(`${event.type}: the job has changed meanwhile`);
  return job;
}
