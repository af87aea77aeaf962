import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import type { JobAct, JobSeen } from "../../seam/access/console.ts";
import type { Operator } from "../../seam/access/operators.ts";
import { partnersPerson } from "../../seam/access/partners.ts";
import { platformOf } from "../../seam/values.ts";
import type { UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { ReelayError } from "../../common/errors.ts";
import { currentTime } from "../../common/time.ts";
import type { Audit, NewEntry } from "../audit/audit.ts";
import type { CommandParts } from "../commands/command.ts";
import { againAction } from "../jobs/job-view.ts";
import { IllegalTransition, type Job } from "../jobs/job.ts";
import { priceOf } from "../jobs/quote.ts";
import { operationOf } from "../operations/registry.ts";
import { actsOn } from "./job-file.ts";

/** What is offered twice within this time is offered once, in milliseconds. */
const OFFERED_MS = 60_000;

/** What is worked with. */
export type ActParts = Pick<CommandParts, "ledger" | "reports" | "surfaces" | "experience"> & {
  readonly audit: Pick<Audit, "read" | "write">;
  readonly database: Pick<Database, "kysely">;
};

/** Whom an act on a job is about, as the audit names them. */
function subjectOf({ user, tags }: Pick<Job, "user" | "tags">): UserId {
  return platformOf(user) === "http" ? partnersPerson(user, tags.inAppUsername) : user;
}

/** The line of the audit about what an operator did with somebody's job. */
export function lineAbout(
  act: NewEntry["act"],
  job: Pick<Job, "id" | "user" | "tags" | "operation">,
  { id: user }: Operator,
): NewEntry {
  return { act, user, surface: "web", rule: subjectOf(job), operation: job.operation, job: job.id };
}

/**
 * Does something with a job that is still as an operator saw it, and writes down who did: both, or neither.
 * @throws ReelayError `not_found`; `changed_meanwhile` where it has changed since, or another did the same; `undeliverable`
 */
export async function actOn(
  parts: ActParts,
  operator: Operator,
  id: string,
  act: Exclude<JobAct, "note">,
  seen: JobSeen,
): Promise<void> {
  const { ledger, reports, surfaces } = parts;
  const job = await ledger.find(id);
  if (!job) throw new ReelayError("not_found");
  refuseStale(job, seen, act, await reports.isWithheld(id));
  switch (act) {
    case "cancel":
      return cancel(parts, operator, job);
    case "deliver": {
      // As it is at that moment: somebody may have had it told again just now.
      const said = await ledger.retell(id, surfaces.names, async (within, now) => {
        refuseStale(now, seen, act, await reports.isWithheld(id));
        await parts.audit.write(lineAbout("redeliver", now, operator), within);
        return { retell: true };
      });
      if (!said) throw new ReelayError("not_found");
      return undefined;
    }
    case "offer":
      return offer(parts, operator, job);
    default:
      throw new ReelayError(act satisfies never);
  }
}

function refuseStale(job: Job, seen: JobSeen, act: JobAct, isWithheld: boolean): void {
  const isAsSeen = job.state === seen.state && job.delivery === seen.delivery;
  if (!isAsSeen || !actsOn(job, isWithheld).includes(act)) throw new ReelayError("changed_meanwhile");
}

/** Takes it out of the queue, unless it leaves at this very moment. */
async function cancel({ audit, database, ledger }: ActParts, operator: Operator, job: Job): Promise<void> {
  try {
    const hear = await exclusive(database.kysely, [], async (kysely) => {
      const told = await ledger.applyWithin({ kysely }, job, { type: "cancelled", at: currentTime() });
      await audit.write(lineAbout("cancel", job, operator), { kysely });
      return told;
    });
    hear();
  } catch (cause) {
    if (!(cause instanceof IllegalTransition)) throw cause;
    throw new ReelayError("changed_meanwhile", {}, { cause });
  }
}

/**
 * Shows its person the button that makes the same again, with its price: they press it, or nobody pays. Of two who offer it at
 * once one does.
 */
async function offer(parts: ActParts, operator: Operator, job: Job): Promise<void> {
  const { audit, database, experience, surfaces } = parts;
  const surface = surfaces.of(job.surface);
  await exclusive(database.kysely, [`job:${job.id}`], async (kysely) => {
    const since = currentTime() - OFFERED_MS;
    const lately = kysely.selectFrom("audit").select("id").where("job", "=", job.id);
    const before = await lately.where("act", "=", "offer").where("at", ">", since).executeTakeFirst();
    if (before) throw new ReelayError("changed_meanwhile");
    await audit.write(lineAbout("offer", job, operator), { kysely });
  });
  const price = priceOf(experience, operationOf(job.operation), job.values);
  await surface.deliver(job.address, {
    kind: "notice",
    text: { key: "job.offered", params: { operation: job.operation } },
    actions: [againAction(job, price, "primary")],
  });
}
