import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { JobAct, JobFile, JobLine, Settlement } from "../../seam/access/console.ts";
import { ownerOf } from "../../seam/access/partners.ts";
import { currentTime } from "../../common/time.ts";
import { CHATS, PLATFORMS, type Platform, type UserId } from "../../seam/values.ts";
import type { Audit } from "../audit/audit.ts";
import type { Job } from "../jobs/job.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { Ledger } from "../jobs/ledger.ts";
import { LOST } from "../jobs/other-job.ts";
import { lineOf } from "./job-line.ts";
import { timeLineOf } from "./time-line.ts";

/** Jobs in a list of those that were found. */
const MOST_FOUND = 50;

/** What waited longer in the queue is not counted beside a job in doubt, in milliseconds. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** What a job is looked up with. */
export interface FileParts {
  readonly database: Pick<Database, "kysely">;
  readonly ledger: Pick<Ledger, "find" | "madeBy" | "holders" | "ofUser">;
  readonly audit: Pick<Audit, "read">;
  readonly reports: { isWithheld(job: string): Promise<boolean> };
}

/** Jobs that somebody means by an id, an id at the service, a request or a person, newest first. */
export async function findJobs({ ledger }: FileParts, sought: string): Promise<readonly JobLine[]> {
  const text = sought.trim();
  if (text === "") return [];
  const job = (await ledger.find(text)) ?? (await ledger.madeBy(text));
  if (job) return [lineOf(job)];
  const atService = await ledger.holders([text]);
  if (atService.length > 0) return atService.map(lineOf);
  // Somebody by the name that they have everywhere here.
  if (!PLATFORMS.some((platform) => text.startsWith(`${platform}:`))) return [];
  const { user, ...named } = ownerOf(text as UserId);
  return (await ledger.ofUser(user, { ...named, limit: MOST_FOUND })).map(lineOf);
}

/** A job with all that is known of it, but its words and pictures. @param seesMoney whether tokens are told */
export async function fileOf(parts: FileParts, job: Job, seesMoney: boolean): Promise<JobFile> {
  const { id, chat, tags, request, state, delivery, error, attempts, mature } = job;
  return {
    ...lineOf(job),
    chat,
    username: tags.inAppUsername,
    request,
    state,
    delivery,
    error: error?.code ?? null,
    attempts,
    mature,
    steps: await timeLineOf(job, parts.database, parts.audit),
    settlement: await settlementOf(parts, job, seesMoney),
    acts: actsOn(job, await parts.reports.isWithheld(id)),
  };
}

/** Where people read what is posted, and press buttons. */
const TALKED: ReadonlySet<Platform> = new Set([...CHATS, "web"]);

/** What may be done with a job as it is now: nothing by which anybody pays, or is told twice of one thing. */
export function actsOn(job: Job, isWithheld: boolean): readonly JobAct[] {
  const { state, error, surface } = job;
  const acts: JobAct[] = ["note"];
  if (state === "queued") acts.push("cancel");
  if (isGoingOn(job) || isWithheld || !TALKED.has(surface)) return acts;
  acts.push("deliver");
  // What may have been accepted after all is offered by nobody.
  const isLost = error !== null && LOST.has(error.code);
  if ((state === "failed" || state === "cancelled") && !isLost) acts.push("offer");
  return acts;
}

async function settlementOf(
  { database }: Pick<FileParts, "database">,
  job: Job,
  seesMoney: boolean,
): Promise<Settlement> {
  const { lostAt, serviceId, before, balance, cost, submittedAt, state } = job;
  const isSettled = state !== "queued" && submittedAt !== null;
  const money = { before: before?.tokens ?? null, after: isSettled ? balance : null, cost };
  return {
    is: howSettled(job),
    lostAt,
    serviceId,
    ...(seesMoney && { money }),
    // Where nothing was lost, the service's answer is all that counts.
    others: lostAt === null ? null : await othersBeside(database, job, lostAt),
  };
}

/** How many jobs of the same key were accepted while a job was in doubt. */
async function othersBeside(
  { kysely }: FileParts["database"],
  { id, keyId, submittedAt, acceptedAt, endedAt }: Job,
  lostAt: number,
): Promise<number> {
  const since = submittedAt ?? lostAt;
  const until = acceptedAt ?? endedAt ?? currentTime();
  const { count } = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    // By their ids, which sort by time: of all that there ever were only those are read.
    .where("id", ">", idsFrom(since - LONGEST_WAIT_MS))
    .where("id", "<", idsFrom(until + 1))
    .where("id", "!=", id)
    .where("key_id", "=", keyId)
    .where("accepted_at", ">=", since)
    .where("accepted_at", "<=", until)
    .executeTakeFirstOrThrow();
  return count;
}

function howSettled({ state, lostAt, acceptedAt, submittedAt, error }: Job): Settlement["is"] {
  if (acceptedAt !== null) return lostAt === null ? "answered" : "found";
  if (state === "unsure" || state === "submitting") return "checking";
  if (error !== null && LOST.has(error.code)) return "unknown";
  return submittedAt === null ? "unsent" : "refused";
}
