import type { Account, Accounts } from "../../accounts/accounts.ts";
import type { AccountReading } from "../../accounts/reading.ts";
import type { ServiceJob, MediaApi } from "../../../infrastructure/api/media-api.ts";
import { NotFound, ServiceFailure } from "../../../infrastructure/api/transport/errors.ts";
import { JOBS_PER_PAGE } from "../../../common/contract.ts";
import type { Likeness } from "../../operations/likeness.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Evidence, Listed } from "./doubt.ts";
import type { Experience } from "../experience/experience.ts";
import type { Job } from "../job.ts";
import type { Ledger } from "../ledger.ts";
import { search } from "./list-search.ts";
import { asOther } from "../other-job.ts";
import { ANY_ZONE, type ClockSample, measureClock, type ServiceClock } from "./service-clock.ts";
import { currentTime } from "../../../common/time.ts";

/** Pages of the list that are read at most: a thousand jobs. */
const MAX_PAGES = 10;

/** Of so many records is asked what else they show, each look. */
const MAX_COMPARED = 12;

/** How many of a host's last jobs are asked for when they were made, where the list shows none of ours. */
const CLOCK_JOBS = 2;

/** What evidence is gathered from. */
export interface Sources {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly experience: Experience;
  /** When the clock was last noticed to be set back, 0 for never: times of before are of another clock. */
  readonly clockSetBackAt: () => Promise<number>;
  readonly signal: AbortSignal;
}

/** What was seen of a job's records before; what they show does not change. */
export type Compared = Map<string, Likeness>;

/** The job list, as far as it was read. */
interface List {
  readonly records: readonly ServiceJob[];
  /** See {@link Evidence}. */
  readonly total: number | null;
}

/**
 * Reads everything that can tell whether a submission was accepted: about four requests.
 * @param arrivedBy when it is accepted or never will be, in milliseconds since 1970
 * @throws ApiError when something could not be read
 */
export async function gather(
  job: Job,
  arrivedBy: number,
  account: Account,
  compared: Compared,
  sources: Sources,
): Promise<Evidence> {
  const { ledger, signal } = sources;
  const operation = operationOf(job.operation);
  const api = account.api({ signal });
  const sentAt = job.submittedAt ?? job.createdAt;
  const since = Math.min(sentAt, job.before?.from ?? sentAt);
  const counted = await numbersOf(account);
  const list = await readList(api, since + ANY_ZONE.least);
  const tokens = await account.balance(0);
  const now = together(counted, tokens, currentTime());
  const listed = list.records.map(({ id }) => id);
  const others = await ledger.othersSince(job, since, listed);
  const clock = await clockOf(job, sentAt, list.records, others, sources);
  const taken = new Set(others.map(({ serviceId }) => serviceId));
  const evidence: Evidence = {
    doubt: {
      type: operation.type,
      listed: operation.listed,
      price: priceOf(job, sources.experience),
      sentAt,
      arrivedBy,
    },
    before: job.before,
    now,
    others: others.flatMap((other) => asOther(other, since, priceOf(other, sources.experience)) ?? []),
    list: list.records.map((record) => asListed(record, taken, compared)),
    listTotal: list.total,
    clock,
  };
  return withLikeness(evidence, list.records, compared, (record) =>
    operation.likeness(api, record, job.values),
  );
}

/** Nothing where the service has no statistics: what else it shows can tell, too. */
async function numbersOf(account: Account): Promise<AccountReading> {
  const from = currentTime();
  try {
    return await account.numbers(0);
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof ServiceFailure)) throw error;
    return { from, to: currentTime(), tokens: null, totals: null, failed: null };
  }
}

/** The tokens are the balance's; statistics that say otherwise are from another moment, and count for nothing. */
function together(
  { from, totals, failed, tokens: beside }: AccountReading,
  tokens: number | null,
  to: number,
): AccountReading {
  const agree = beside === null || tokens === null || Math.abs(beside - tokens) < 0.005;
  return { from, to, tokens: tokens ?? beside, totals: agree ? totals : null, failed: agree ? failed : null };
}

function priceOf({ operation, values }: Job, experience: Experience): number | null {
  const made = operationOf(operation);
  return experience.price(made.id, made.size(values)) ?? made.price(values);
}

function asListed(
  { id, type, createdAt, cost, state }: ServiceJob,
  taken: ReadonlySet<string | null>,
  compared: Compared,
): Listed {
  const likeness = compared.get(id) ?? "possible";
  return { id, type, createdAt, cost, failed: state === "failed", taken: taken.has(id), likeness };
}

/** Asks what those records show that could be the job. */
async function withLikeness(
  evidence: Evidence,
  records: readonly ServiceJob[],
  compared: Compared,
  likenessOf: (record: ServiceJob) => Promise<Likeness>,
): Promise<Evidence> {
  const near = new Set(search(evidence).near.map(({ id }) => id));
  const newest = records
    .filter(({ id }) => near.has(id) && !compared.has(id))
    .toSorted((a, b) => (b.createdAt ?? Infinity) - (a.createdAt ?? Infinity));
  const now = new Map<string, Likeness>();
  for (const record of newest.slice(0, MAX_COMPARED)) {
    const likeness = await likenessOf(record);
    now.set(record.id, likeness);
    // What was not shown yet may be later.
    if (likeness !== "possible") compared.set(record.id, likeness);
  }
  const list = evidence.list.map((one) => ({ ...one, likeness: now.get(one.id) ?? one.likeness }));
  return { ...evidence, list };
}

/** The order of the list is not documented: only one that is seen to go back in time is cut short. */
async function readList(api: MediaApi, since: number): Promise<List> {
  const records = new Map<string, ServiceJob>();
  let backwards = true;
  let last = Infinity;
  for (let page = 1; ; page++) {
    const { jobs, total, hasNext } = await api.jobs({ page, perPage: JOBS_PER_PAGE.max });
    for (const record of jobs) {
      records.set(record.id, record);
      if (record.createdAt === null) continue;
      backwards &&= record.createdAt <= last;
      last = record.createdAt;
    }
    const cut = page === MAX_PAGES || (backwards && last < since);
    if (hasNext && jobs.length > 0 && !cut) continue;
    const expected = hasNext ? page * JOBS_PER_PAGE.max : total;
    return { records: [...records.values()], total: records.size === expected ? total : null };
  }
}

/** Measured by those of our jobs that the list shows, else by the last ones at the same host. */
async function clockOf(
  job: Job,
  near: number,
  records: readonly ServiceJob[],
  others: readonly Job[],
  { ledger, accounts, clockSetBackAt, signal }: Sources,
): Promise<ServiceClock | undefined> {
  const createdAt = new Map(records.map((record) => [record.id, record.createdAt]));
  const setBackAt = await clockSetBackAt();
  const ofThisClock = ({ submittedAt }: Job) => (submittedAt ?? 0) > setBackAt;
  const shown = others
    .filter(ofThisClock)
    .flatMap((other) => sampleOf(other, createdAt.get(other.serviceId ?? "") ?? null));
  const clock = measureClock(shown, near);
  if (clock) return clock;
  const samples: ClockSample[] = [];
  for (const other of (await ledger.acceptedLast(job.host, CLOCK_JOBS)).filter(ofThisClock)) {
    try {
      const api = (await accounts.of(other)).api({ signal, background: true });
      const record = await operationOf(other.operation).read(api, other.serviceId ?? "");
      samples.push(...sampleOf(other, record.createdAt));
    } catch {
      // It may be deleted, or its key: then others tell.
      signal.throwIfAborted();
    }
  }
  return measureClock(samples, near);
}

function sampleOf({ submittedAt: sentAt, acceptedAt }: Job, createdAt: number | null): ClockSample[] {
  return sentAt === null || acceptedAt === null || createdAt === null
    ? []
    : [{ sentAt, acceptedAt, createdAt }];
}
