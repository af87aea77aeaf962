import { JOBS_PER_PAGE } from "../../../src/common/contract.ts";
import type { MixOrder } from "./orders.ts";
import type { MixReads } from "./reads.ts";

/** Between which times a job ends, as a client knows it. */
export type EndsBetween = (order: MixOrder) => readonly [least: number, most: number];

/** What the informed client knows: between which durations each kind ends. */
export const informed: EndsBetween = ({ acceptedAt, kind: { seconds } }) => [
  acceptedAt + seconds[0] * 1000,
  acceptedAt + seconds[1] * 1000,
];

/** What the oracle knows. */
export const oracle: EndsBetween = ({ endsAt }) => [endsAt, endsAt];

/** How a client of the bound reads. */
interface BoundPace {
  readonly pollMs: number;
  /** Reads in any window. */
  readonly budget: number;
  readonly until: number;
  readonly stepMs: number;
}

/**
 * A client that reads wherever most is saved as often as the window allows; one page of the list serves all listed jobs of
 * a key.
 * @returns when each job was known to have ended
 */
export function boundClient(
  orders: readonly MixOrder[],
  between: EndsBetween,
  reads: MixReads,
  { pollMs, budget, until, stepMs }: BoundPace,
): ReadonlyMap<string, number> {
  const told = new Map<string, number>();
  const readAt = new Map<string, number>();
  const open = new Set<MixOrder>();
  const pages = new Map<string, readonly string[]>();
  let coming = 0;
  for (let now = 0; now < until; now += stepMs) {
    for (let order = orders[coming]; order && order.acceptedAt <= now; order = orders[++coming]) {
      open.add(order);
      if (order.listed)
        pages.set(order.key, [order.id, ...(pages.get(order.key) ?? [])].slice(0, JOBS_PER_PAGE.max));
    }
    while (reads.recent(now) < budget) {
      const groups = Map.groupBy(open, (order) =>
        onFirstPage(order, pages) ? order.key : order.id,
      ).values();
      let best: readonly MixOrder[] = [];
      let most = 0;
      for (const group of groups) {
        if (group.some(({ id }) => now - (readAt.get(id) ?? -Infinity) < pollMs)) continue;
        const isPage = group.some((order) => onFirstPage(order, pages));
        let saved = 0;
        for (const order of group)
          saved += savedBy(between(order), readAt.get(order.id) ?? order.acceptedAt, now, isPage);
        if (saved > most) [best, most] = [group, saved];
      }
      if (best.length === 0) break;
      reads.add(
        now,
        best.map(({ id }) => id),
      );
      for (const order of best) {
        readAt.set(order.id, now);
        if (order.endsAt > now) continue;
        told.set(order.id, now);
        open.delete(order);
      }
    }
  }
  return told;
}

/** Whether the newest page of its key's list shows a job. */
const onFirstPage = ({ id, listed, key }: MixOrder, pages: ReadonlyMap<string, readonly string[]>) =>
  listed && pages.get(key)?.includes(id) === true;

/** A read is worth more each second that a job is overdue: it must be made once anyhow, and is not made in vain any more. */
const OVERDUE = 5;

/** How long people have probably waited for a job that ran at `ranAt`, and whose read may come too soon unless on a page. */
function savedBy(
  [least, most]: readonly [number, number],
  ranAt: number,
  now: number,
  onPage: boolean,
): number {
  const from = Math.max(least, ranAt);
  if (now <= from) return 0;
  const to = Math.max(from, Math.min(now, most));
  const hasEnded = most <= from ? 1 : (to - from) / (most - from);
  const waited = hasEnded * (now - (from + to) / 2);
  return onPage ? waited : 2 * hasEnded * waited + OVERDUE * Math.max(0, now - Math.max(most, from));
}
