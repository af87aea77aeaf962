import type { Evidence, Listed } from "./doubt.ts";
import { type ListFindings, isExcluded, search, totalsSay } from "./list-search.ts";
import { rulesOut, shows, tokensSay } from "../testimony.ts";

/** What the evidence says. */
export type Verdict =
  | { readonly is: "accepted"; readonly record: Listed }
  /** Proven: it may be sent again. */
  | { readonly is: "not accepted" }
  /**
   * `charged`: what the balance says of it by itself; null where it says neither: its price is not known, the balance was not read
   * before, or what else moved it explains both or neither.
   */
  | { readonly is: "unknown"; readonly charged: boolean | null };

/**
 * Judges whether a submission whose answer was lost had been accepted. Pure; absence alone proves nothing.
 *
 * | evidence                                                                                       | verdict      |
 * | ---------------------------------------------------------------------------------------------- | ------------ |
 * | one new record could be it and shows what was asked for; no other new job is hidden              | accepted     |
 * | one could be it, though it shows little; no other is hidden, or the balance has room for none;    | accepted     |
 * | none of ours is in doubt beside it, it cost as much, the balance does not speak against it, and    |              |
 * | nothing can arrive any more                                                                      |              |
 * | several could be it                                                                            | unknown      |
 * | nothing can arrive any more, none could be it; the balance and the number of jobs are explained   | not accepted |
 * | without it and not with it, and no job failed meanwhile (a refund would hide the charge)         |              |
 * | nothing can arrive any more, none could be it; the list is as long as the statistics count, and   | not accepted |
 * | the balance can be explained without it                                                        |              |
 * | price unknown or nothing; no balance before; one witness alone; something may still arrive       | unknown      |
 *
 * What no evidence can tell, and is taken for granted: that in these same minutes nobody makes elsewhere, with the same
 * account, what shows the very same as ours, nor, while ours was not accepted, anything of its type that shows nothing
 * else; that nobody deletes a job there whose refund is exactly our price; that nothing that nobody knows of raises the balance
 * where the statistics were not read and the list may hide something; and that the statistics are not later than
 * {@link ON_ITS_WAY_MS}.
 */
export function judge(evidence: Evidence): Verdict {
  const { doubt, before, now } = evidence;
  const found = search(evidence);
  const record = adoptable(evidence, found);
  if (record) return { is: "accepted", record };
  if (!before || !hasArrived(evidence)) return { is: "unknown", charged: null };
  const candidates = new Set(candidatesOf(found).map(({ id }) => id));
  const foreign = found.foreign.filter(({ id }) => !candidates.has(id));
  const tokens = tokensSay(before, now, [...evidence.others, ...foreign], doubt.price);
  if (isExcluded(found) && tokens?.withoutIt) {
    const total = rulesOut(totalsSay(evidence, found));
    const noRefund = before.failed !== null && before.failed === now.failed;
    if (total && rulesOut(tokens) && noRefund) return { is: "not accepted" };
    if (doubt.listed && found.inStep && found.near.length === 0) return { is: "not accepted" };
  }
  return { is: "unknown", charged: shows(tokens) || (rulesOut(tokens) ? false : null) };
}

/** Whether a submission that was lost can no longer be accepted after what was read. */
function hasArrived({ doubt, now }: Evidence): boolean {
  return now.from >= doubt.arrivedBy;
}

/** The record that certainly is the job in doubt. */
function adoptable(evidence: Evidence, found: ListFindings): Listed | undefined {
  const { doubt, before, now, others } = evidence;
  const candidates = candidatesOf(found);
  const [record] = candidates;
  if (!record || candidates.length > 1 || !found.isNew(record) || found.hidden === "certainly")
    return undefined;
  const foreign = found.foreign.filter(({ id }) => id !== record.id);
  const tokens = before && tokensSay(before, now, [...others, ...foreign], record.cost ?? doubt.price);
  if (record.likeness === "same") {
    if (found.hidden !== "unknown") return record;
    const uncounted = before === null && hasArrived(evidence);
    return uncounted || (shows(tokens) && !rulesOut(totalsSay(evidence, found))) ? record : undefined;
  }
  const alone = !others.some(({ type, acceptedAt }) => type === doubt.type && acceptedAt === null);
  const price = record.cost === null || doubt.price === null || record.cost === doubt.price;
  const agrees = record.type === doubt.type && price && (!tokens || tokens.withIt);
  // One that the list hides would have been charged beside all that it shows.
  const charged = before && tokensSay(before, now, [...others, ...found.foreign], doubt.price);
  const single = found.hidden === "no" || rulesOut(charged);
  return hasArrived(evidence) && single && alone && agrees ? record : undefined;
}

/** Records that could be the job in doubt, by all that they show. */
function candidatesOf({ near }: ListFindings): readonly Listed[] {
  return near.filter(({ likeness }) => likeness !== "other");
}
