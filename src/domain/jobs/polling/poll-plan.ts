/**
 * When to ask the service about which job. Pure: the poller feeds it and does what it says.
 *
 * The published budget is less than one read per job when everything runs at full rate (120 reads against 160
 * submissions in a window, section 8.1). So a job is asked about when it is worth it: rarely before the time
 * its kind takes at the least, then steadily, and the later the scarcer the reads are; and one page of the job
 * list answers for every listed job of a key.
 */

import { Durations } from "../experience/durations.ts";

/** What is known of one running job. Times in milliseconds since 1970. */
export interface Watch {
  readonly id: string;
  readonly keyId: string;
  /** Whether the key's job list shows it. */
  readonly listed: boolean;
  readonly acceptedAt: number;
  /** How long jobs like it took; undefined while none has ended yet. */
  readonly durations: Durations | undefined;
  /** The longest that one like it was seen to run. */
  readonly ranMs: number;
  /** When it was last read, by itself or in a list. */
  readonly readAt: number | undefined;
  /** Set when the list told its end but not all of it, and while it waits for something: it is read by itself. */
  readonly needsDetail: boolean;
  /** It is not read before this. */
  readonly notBefore: number;
  /** It waits for something, and is read as soon as it may be. */
  readonly isHeld: boolean;
}

/** One call: a job by itself, or the page of the list that shows all listed jobs of a key. */
export interface Read {
  readonly kind: "job" | "list";
  readonly keyId: string;
  readonly watches: readonly Watch[];
}

/** What to read now, or when to ask again. */
export type Plan = { readonly read: Read } | { readonly waitUntil: number };

/** The bounds of the plan. */
export interface PollBounds {
  /** The least time between two reads of one job. */
  readonly pollMs: number;
  /** Reads per millisecond that the poller may spend. */
  readonly readsPerMs: number;
}

/** A job that is late by t is asked about again after a tenth of t: the lag stays a tenth at most, the reads few. */
const LAG_SHARE = 0.1;

/**
 * The longest wait for a further read, in units of the least one. Jobs that come faster than they can be read would make
 * the wait grow faster than time passes, so that none of them was ever read: their reads wait for a slot instead.
 */
const LONGEST_INTERVAL = 6;

/** The longest that a job is not read because its end is not expected yet, in units of the least interval. */
const LONGEST_UNREAD = 24;

/** What each moment counts since a job was read last, whatever is expected of it: what was learned may be wrong. */
const UNLIKELY = 0.01;

/** What each moment counts that a job is overdue: its read must be made once anyhow, and is not made in vain any more. */
const OVERDUE = 5;

/** What to do now. Jobs that are being read at the moment must not be among the watches. */
export function plan(watches: readonly Watch[], now: number, { pollMs, readsPerMs }: PollBounds): Plan {
  const reads = readsOf(watches);
  const pressing = reads.filter((read) => read.watches.some((watch) => now >= endsOf(watch).soonest));
  const pace: Pace = {
    pollMs,
    interval: Math.min(LONGEST_INTERVAL * pollMs, Math.max(pollMs, pressing.length / readsPerMs)),
    spare: reads.length / readsPerMs <= pollMs,
  };
  let waitUntil = Number.POSITIVE_INFINITY;
  let best: { read: Read; saved: number } | undefined;
  for (const read of reads) {
    const due = dueAt(read, pace);
    if (due > now) {
      waitUntil = Math.min(waitUntil, due);
      continue;
    }
    const saved = savedBy(read, now);
    if (!best || saved > best.saved) best = { read, saved };
  }
  return best ? { read: best.read } : { waitUntil };
}

/** The waiting that a read is expected to end, summed over its jobs: of the reads that are due, the one to make first. */
function savedBy({ watches }: Read, now: number): number {
  return watches.reduce((sum, watch) => sum + expectedWaiting(watch, now), 0);
}

/** How long the person of a job has probably waited since its end; endless for one that is known to have ended. */
function expectedWaiting(watch: Watch, now: number): number {
  const { needsDetail, durations, acceptedAt, ranMs, readAt = acceptedAt } = watch;
  if (needsDetail) return Number.POSITIVE_INFINITY;
  const unread = now - readAt;
  // Nothing is known but that others still ran: the oldest one is asked about for all.
  if (!durations) return unread * (now - acceptedAt > ranMs ? OVERDUE : UNLIKELY);
  const latest = acceptedAt + durations.latestMs;
  // What outlasts all that are known may have ended at any time since it was read.
  if (readAt >= latest) return unread * OVERDUE;
  const { hasEnded, waitedMs } = durations.expected(readAt - acceptedAt, now - acceptedAt);
  // A read that finds a job running has to be made again: it is worth less than what it saves now and then.
  const waited = 2 * hasEnded * waitedMs + OVERDUE * Math.max(0, now - latest);
  return Math.max(waited, unread * UNLIKELY);
}

/** How densely the budget lets jobs be read at the moment. */
interface Pace {
  readonly pollMs: number;
  /** Between two reads of a job that may have ended, so that all of them fit the budget. */
  readonly interval: number;
  /** Whether there are slots left to read jobs for their progress alone. */
  readonly spare: boolean;
}

/** The calls that would cover every watch once: two or more listed jobs of a key share its list. */
function readsOf(watches: readonly Watch[]): Read[] {
  const byKey = Map.groupBy(
    watches.filter((watch) => watch.listed && !watch.needsDetail),
    (watch) => watch.keyId,
  );
  const shared = [...byKey].filter(([, group]) => group.length > 1);
  const inList = new Set(shared.flatMap(([, group]) => group));
  return [
    ...shared.map(([keyId, group]): Read => ({ kind: "list", keyId, watches: group })),
    ...watches
      .filter((watch) => !inList.has(watch))
      .map((watch): Read => ({ kind: "job", keyId: watch.keyId, watches: [watch] })),
  ];
}

/** When a read is worth its slot: as soon as the first of its jobs is due, and never sooner than allowed for any. */
function dueAt({ watches }: Read, pace: Pace): number {
  const allowed = Math.max(
    ...watches.map(({ readAt, notBefore }) =>
      readAt === undefined ? notBefore : Math.max(notBefore, readAt + pace.pollMs),
    ),
  );
  return Math.ceil(Math.max(allowed, Math.min(...watches.map((watch) => wantedAt(watch, pace)))));
}

function wantedAt(watch: Watch, { pollMs, interval, spare }: Pace): number {
  if (watch.isHeld) return watch.notBefore;
  const last = watch.readAt ?? watch.acceptedAt;
  if (watch.needsDetail) return last + pollMs;
  const { soonest, usual } = endsOf(watch);
  // At its soonest end a job still runs: asking then would tell no more than this does.
  const begin = Math.min(usual, soonest + interval);
  if (last < begin) return Math.min(begin, last + (spare ? 2 : LONGEST_UNREAD) * pollMs);
  return last + Math.max(interval, (last - usual) * LAG_SHARE);
}

/** Between these two most jobs like it end. Without experience it may end at any time. */
function endsOf({ acceptedAt, durations = Durations.none }: Watch) {
  return { soonest: acceptedAt + durations.soonestMs, usual: acceptedAt + durations.usualMs };
}
