import * as fc from "fast-check";
import type { AccountReading } from "../../../src/domain/accounts/reading.ts";
import type { Evidence, Listed } from "../../../src/domain/jobs/reconciling/doubt.ts";
import { measureClock } from "../../../src/domain/jobs/reconciling/service-clock.ts";
import type { OtherJob } from "../../../src/domain/jobs/testimony.ts";
import type { Likeness } from "../../../src/domain/operations/likeness.ts";

/*
 * An account that does whatever the contract leaves open, and the evidence that Reelay has of it. Times are milliseconds;
 * the job in doubt is sent at 0.
 */

const SECOND = 1_000;
const MINUTE = 60_000;
const TYPES = ["video", "image_edit", "image", "vendor_h3"] as const;
const PRICES = [2, 3, 5, 2.7];

/** A job of the account, as it truly is. */
interface TrueJob {
  readonly id: string;
  readonly type: string;
  readonly cost: number;
  readonly acceptedAt: number;
  /** Given back, as far as the service gives back what failed; null: it did not fail. */
  readonly refundAt: number | null;
  readonly likeness: Likeness;
  /** Whose: the one in doubt, one that Reelay knows, one that is in doubt too, anybody's. */
  readonly whose: "doubt" | "known" | "doubtful" | "foreign";
  /** How the list shows it. */
  readonly shown: {
    readonly at: boolean;
    readonly createdAt: boolean;
    readonly cost: boolean;
    readonly type: boolean;
  };
}

/** What is true of an account, and what of it is seen. */
export interface World {
  readonly type: string;
  readonly price: number;
  readonly accepted: boolean;
  readonly jobs: readonly TrueJob[];
  readonly evidence: Evidence;
}

const mostly = fc.constantFrom(true, true, true, false);
const shown = fc.record({ at: mostly, createdAt: mostly, cost: mostly, type: mostly });
const whole = { at: true, createdAt: true, cost: true, type: true };

/** What moves the balance without being a job: renewals, purchases, what is spent on the service's own pages. */
interface Movement {
  readonly at: number;
  readonly tokens: number;
}

const worldParts = fc.record({
  type: fc.constantFrom(...TYPES),
  price: fc.constantFrom(...PRICES),
  priceKnown: fc.boolean(),
  accepted: fc.boolean(),
  acceptedAfter: fc.integer({ min: 0, max: 100 }),
  lostAfter: fc.integer({ min: 0, max: 60 * SECOND }),
  lookedAfter: fc.integer({ min: 0, max: 8 * MINUTE }),
  zone: fc.integer({ min: -24, max: 28 }).map((half) => half * 30 * MINUTE),
  skew: fc.integer({ min: -30 * SECOND, max: 30 * SECOND }),
  likeness: fc.constantFrom<Likeness>("same", "possible"),
  shown: shown,
  before: fc.constantFrom("numbers", "numbers", "numbers", "tokens", "none"),
  readAgo: fc.integer({ min: 0, max: MINUTE }),
  countsNow: fc.constantFrom(true, true, true, false),
  /** The ledger is read once everything else was. */
  ledgerAfter: fc.integer({ min: 0, max: 10 * SECOND }),
  listTotal: fc.boolean(),
  others: fc.array(
    fc.record({
      whose: fc.constantFrom("known" as const, "known" as const, "doubtful" as const, "foreign" as const),
      type: fc.constantFrom(...TYPES),
      cost: fc.constantFrom(0, ...PRICES),
      sentAt: fc.integer({ min: -3 * MINUTE, max: 5 * MINUTE }),
      took: fc.integer({ min: 1, max: 5 * SECOND }),
      accepted: fc.boolean(),
      likeness: fc.constantFrom<Likeness>("same", "possible", "other"),
      refundAfter: fc.option(fc.integer({ min: 1, max: 4 * MINUTE }), { nil: null, freq: 4 }),
      givenBack: fc.boolean(),
      /** It is read every few seconds whether it ended. */
      endNoticed: mostly,
      shown: shown,
    }),
    { maxLength: 5 },
  ),
  past: fc.array(
    fc.record({
      ago: fc.integer({ min: 10 * MINUTE, max: 40 * 60 * MINUTE }),
      own: fc.boolean(),
      type: fc.constantFrom(...TYPES),
      likeness: fc.constantFrom<Likeness>("same", "possible", "other"),
      shown: shown,
    }),
    { maxLength: 4 },
  ),
  movements: fc.array(
    fc.record({
      at: fc.integer({ min: -MINUTE, max: 6 * MINUTE }),
      tokens: fc.constantFrom(-5, -3, -2, 2, 3, 5, 500),
    }),
    { maxLength: 2 },
  ),
});

type Parts = typeof worldParts extends fc.Arbitrary<infer T> ? T : never;

/** Any account. */
export const anyWorld: fc.Arbitrary<World> = worldParts.map(build);

/** One of which everything can be seen in time, and where nobody else does anything. */
export const plainWorld: fc.Arbitrary<World> = worldParts.map((parts) =>
  build({
    ...parts,
    priceKnown: true,
    type: parts.type === "vendor_h3" ? "video" : parts.type,
    lookedAfter: parts.lookedAfter + 2 * MINUTE,
    shown: whole,
    before: "numbers",
    countsNow: true,
    listTotal: true,
    others: [],
    past: parts.past.map((job) => ({ ...job, shown: whole })),
    movements: [],
  }),
);

const LISTED = new Set(["video", "image_edit"]);

function build(parts: Parts): World {
  const { type, price, lostAfter, accepted, readAgo } = parts;
  const arrivedBy = lostAfter + 2 * MINUTE;
  const now = lostAfter + parts.lookedAfter;
  const ledgerAt = now + parts.ledgerAfter;
  const acceptedAt = Math.floor((arrivedBy * parts.acceptedAfter) / 100);
  const beforeAt = -readAgo - 1;
  const jobs: TrueJob[] = [];
  if (accepted)
    jobs.push({
      id: "ours",
      type,
      cost: price,
      acceptedAt,
      refundAt: null,
      likeness: parts.likeness,
      whose: "doubt",
      shown: parts.shown,
    });
  const ledger: OtherJob[] = [];
  const answered = new Set<string>();
  for (const [index, other] of parts.others.entries()) {
    const at = other.sentAt + Math.floor(other.took / 2);
    const { whose } = other;
    const isAccepted = whose === "doubtful" ? other.accepted : true;
    const refundAt = other.refundAfter === null ? null : at + other.refundAfter;
    const likeness =
      whose === "foreign" ? foreignLikeness(other, accepted && acceptedAt <= now) : ownLikeness(other);
    if (isAccepted && at <= now)
      jobs.push({
        ...other,
        id: `other-${index}`,
        acceptedAt: at,
        likeness,
        refundAt: refundAt !== null && refundAt <= now ? refundAt : null,
        cost: other.cost,
      });
    if (whose === "foreign" || other.sentAt > ledgerAt) continue;
    const ended = refundAt !== null && refundAt <= now;
    const answeredAt = other.sentAt + other.took;
    const isAnswered = whose === "known" && answeredAt <= ledgerAt;
    if (isAnswered) answered.add(`other-${index}`);
    ledger.push({
      type: other.type,
      sentAt: other.sentAt,
      acceptedAt: isAnswered ? answeredAt : null,
      cost: other.cost,
      ending: ended && isAnswered && other.endNoticed ? "refund" : "none",
    });
  }
  for (const [index, { ago, own, type: kind, likeness, shown: how }] of parts.past.entries()) {
    if (own) answered.add(`past-${index}`);
    jobs.push({
      id: `past-${index}`,
      type: kind,
      cost: 2,
      acceptedAt: -ago,
      refundAt: null,
      likeness,
      whose: own ? "known" : "foreign",
      shown: how,
    });
  }
  const isCounted = parts.before === "numbers" && parts.countsNow;
  // Where the balance is the only witness, nothing that nobody knows of may raise it (see `judge`).
  const movements = parts.movements.filter(({ tokens }) => isCounted || tokens < 0);
  const given = new Map(
    parts.others.map((other, index) => {
      const id = `other-${index}`;
      return [id, other.givenBack && (isCounted || (answered.has(id) && other.endNoticed))];
    }),
  );
  const reading = (at: number): AccountReading => readAt(at, jobs, movements, given);
  const stamp = (time: number) => Math.floor((time + parts.zone + parts.skew) / SECOND) * SECOND;
  const isShown = (job: TrueJob) => LISTED.has(job.type) && job.acceptedAt <= now && job.shown.at;
  const list = jobs.filter(isShown).map((job): Listed => ({
    id: job.id,
    type: job.shown.type ? job.type : null,
    createdAt: job.shown.createdAt ? stamp(job.acceptedAt) : null,
    cost: job.shown.cost ? job.cost : null,
    failed: job.refundAt !== null,
    taken: answered.has(job.id),
    likeness: job.type === type ? job.likeness : "possible",
  }));
  const samples = jobs
    .filter((job) => answered.has(job.id) && isShown(job) && job.shown.createdAt)
    .map((job) => ({
      sentAt: job.acceptedAt - 3 * SECOND,
      acceptedAt: job.acceptedAt + SECOND,
      createdAt: stamp(job.acceptedAt),
    }));
  const before = { ...reading(beforeAt), ...(parts.before === "tokens" && { totals: null, failed: null }) };
  const evidence: Evidence = {
    doubt: { type, listed: LISTED.has(type), price: parts.priceKnown ? price : null, sentAt: 0, arrivedBy },
    before: parts.before === "none" ? null : before,
    now: { ...reading(now), ...(!parts.countsNow && { totals: null, failed: null }) },
    others: ledger,
    list,
    listTotal: parts.listTotal ? list.length : null,
    clock: measureClock(samples, 0),
  };
  return { type, price, accepted, jobs, evidence };
}

/** Two of ours that look the same are never in doubt at once. */
const ownLikeness = ({ likeness }: { likeness: Likeness }) => (likeness === "same" ? "other" : likeness);

/** Nobody makes the very same elsewhere in the same minutes, nor what could be ours while that was not accepted (yet). */
function foreignLikeness({ likeness }: { likeness: Likeness }, accepted: boolean): Likeness {
  if (!accepted) return "other";
  return likeness === "same" ? "possible" : likeness;
}

function readAt(
  at: number,
  jobs: readonly TrueJob[],
  movements: readonly Movement[],
  given: ReadonlyMap<string, boolean>,
): AccountReading {
  const then = jobs.filter(({ acceptedAt }) => acceptedAt <= at);
  const failed = then.filter(({ refundAt }) => refundAt !== null && refundAt <= at);
  const spent = then.reduce((sum, { cost }) => sum + cost, 0);
  const back = failed.reduce((sum, { id, cost }) => sum + (given.get(id) ? cost : 0), 0);
  const moved = movements.filter((one) => one.at <= at).reduce((sum, { tokens }) => sum + tokens, 0);
  const totals: Record<string, number> = {};
  for (const { type } of then) totals[type] = (totals[type] ?? 0) + 1;
  return { from: at, to: at, tokens: 1_000 - spent + back + moved, totals, failed: failed.length };
}
