import { LISTED_TYPES } from "../../../common/contract.ts";
import type { Evidence, Listed } from "./doubt.ts";
import { ANY_ZONE, byOurs } from "./service-clock.ts";
import { countSays, countsOf, type OtherJob, type Testimony } from "../testimony.ts";

/** A job that somebody else made with the same account, as far as the list shows it. */
interface ForeignJob extends OtherJob {
  readonly id: string;
}

/** What the job list and the statistics together say of a job in doubt. */
export interface ListFindings {
  /** Records that nobody has and that were made when it may have been. */
  readonly near: readonly Listed[];
  /** Whether that time could be told at all: by the service's clock, or by how many are new. */
  readonly located: boolean;
  /** Whether a record certainly is of that time. */
  readonly isNew: (record: Listed) => boolean;
  /** Whether the list is as long as the statistics count, so that it lacks nothing. */
  readonly inStep: boolean;
  /** Whether more jobs of the type are new than the list shows. */
  readonly hidden: "no" | "possibly" | "certainly" | "unknown";
  /** New jobs of anybody else: what they cost is no charge of ours. */
  readonly foreign: readonly ForeignJob[];
}

/** Looks for the job in doubt. */
export function search(evidence: Evidence): ListFindings {
  const { clock } = evidence;
  const inStep = isInStep(evidence);
  const newest = newestUnknown(evidence, inStep);
  return {
    near: clock ? made(evidence) : (newest ?? made(evidence)),
    located: clock !== undefined || newest !== undefined,
    isNew: (record) => newest?.includes(record) ?? (clock !== undefined && record.createdAt !== null),
    inStep,
    hidden: inStep ? "no" : hidden(evidence),
    foreign: foreign(evidence),
  };
}

/** Whether no record could be the job. Where their times mean nothing, one that shows the same could. */
export function isExcluded({ near, located }: ListFindings): boolean {
  return located ? near.length === 0 : !near.some(({ likeness }) => likeness === "same");
}

/** What the number of jobs of its type says of the job in doubt. */
export function totalsSay(evidence: Evidence, { foreign: seen }: ListFindings): Testimony | undefined {
  const { doubt, before, now, others } = evidence;
  const change = changeOf(evidence);
  if (change === undefined || !before) return undefined;
  return countSays(change, countsOf([...others, ...seen], doubt.type, before, now));
}

/** Records of its type, or of none, that are nobody's. */
function free({ doubt, list }: Evidence): readonly Listed[] {
  return list.filter(({ taken, type }) => !taken && (type === doubt.type || type === null));
}

/** Those that were made between the sending and the last moment at which it could be accepted. */
function made(evidence: Evidence): readonly Listed[] {
  const { doubt, clock = ANY_ZONE } = evidence;
  return free(evidence).filter(({ createdAt }) => {
    if (createdAt === null) return true;
    const { from, to } = byOurs(createdAt, clock);
    return from <= doubt.arrivedBy && to >= doubt.sentAt;
  });
}

/**
 * By the order of a list that lacks nothing: if the statistics count so many more jobs that we do not know, they are the
 * newest ones. Undefined where that cannot be told.
 */
function newestUnknown(evidence: Evidence, inStep: boolean): readonly Listed[] | undefined {
  const change = changeOf(evidence);
  if (!inStep || change === undefined) return undefined;
  const ours = acceptedCounts(evidence);
  if (!ours || ours.least !== ours.most) return undefined;
  const count = change - ours.least;
  const unknown = free(evidence).toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  if (unknown.length === count) return unknown;
  if (unknown.length < count || unknown.some(({ createdAt }) => createdAt === null)) return undefined;
  const apart = count === 0 || unknown[count - 1]?.createdAt !== unknown[count]?.createdAt;
  return apart ? unknown.slice(0, count) : undefined;
}

/** How many more jobs of its type there are than before; undefined where that was not read, or may leave it out. */
function changeOf({ doubt, before, now }: Evidence): number | undefined {
  if (!before?.totals || !now.totals) return undefined;
  // A type without a job may be left out; one that the list does not show may never be counted at all.
  const later = now.totals[doubt.type] ?? (doubt.listed ? 0 : undefined);
  return later === undefined ? undefined : later - (before.totals[doubt.type] ?? 0);
}

const isListed = (type: string) => LISTED_TYPES.some((listed) => listed === type);

function isInStep({ list, listTotal, now }: Evidence): boolean {
  if (!now.totals || listTotal === null) return false;
  // Boss accounts see every type (section 4.13).
  const all = list.some(({ type }) => type !== null && !isListed(type));
  const counted = Object.entries(now.totals).filter(([type]) => all || isListed(type));
  return counted.reduce((sum, [, total]) => sum + total, 0) === listTotal;
}

function hidden(evidence: Evidence): ListFindings["hidden"] {
  const { before, clock } = evidence;
  const change = changeOf(evidence);
  if (change === undefined || !before || !clock) return "unknown";
  const isAfter = ({ type, createdAt }: Listed) =>
    type !== null && createdAt !== null && byOurs(createdAt, clock).from > before.to;
  const isBefore = ({ createdAt }: Listed) => createdAt !== null && byOurs(createdAt, clock).to < before.from;
  const unknown = free(evidence);
  const surely = unknown.filter(isAfter).length;
  const maybe = unknown.length - unknown.filter(isBefore).length;
  const ours = acceptedCounts(evidence);
  if (!ours || change - ours.least < surely) return "unknown";
  if (change - ours.most > maybe) return "certainly";
  return surely === maybe && change - ours.least === surely ? "no" : "possibly";
}

/**
 * By how much those of our other jobs that certainly were accepted may have raised the number of their type. Undefined
 * where there are too many of them to tell.
 */
function acceptedCounts({
  doubt,
  before,
  now,
  others,
}: Evidence): { least: number; most: number } | undefined {
  if (!before) return undefined;
  const accepted = others.filter(({ acceptedAt }) => acceptedAt !== null);
  const counts = countsOf(accepted, doubt.type, before, now);
  const [least, most] = [counts.at(0), counts.at(-1)];
  return least === undefined || most === undefined ? undefined : { least, most };
}

/** What was made since the numbers were read, and is not ours: as far as its time can be told. */
function foreign(evidence: Evidence): readonly ForeignJob[] {
  const { before, clock, list } = evidence;
  if (!before || !clock) return [];
  return list.flatMap(({ id, taken, type, createdAt, cost, failed }) => {
    if (taken || type === null || createdAt === null) return [];
    const { from: sentAt, to: acceptedAt } = byOurs(createdAt, clock);
    if (acceptedAt < before.from) return [];
    return [{ id, type, sentAt, acceptedAt, cost, ending: failed ? "refund" : "none" }];
  });
}
