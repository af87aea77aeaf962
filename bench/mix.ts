import { RATE_LIMITS, RATE_WINDOW_MS } from "../src/common/contract.ts";
import { boundClient, informed, oracle } from "./support/mix/bound.ts";
import { mixedOrders, type MixOrder } from "./support/mix/orders.ts";
import { BUDGET, ourPoller } from "./support/mix/ours.ts";
import { MixReads } from "./support/mix/reads.ts";
import { mean, median, quantile, say, type Section, table } from "./support/report.ts";

const MINUTES = 10;
const POLL_MS = 5_000;
/** Jobs that end in these minutes count: before, nothing has been learned; after, there is no time left to tell. */
const COUNTED = [2, MINUTES - 1] as const;
const SCALES = [1, 0.1] as const;
/** Each table is the mean over as many draws of the same mix: a bound that is tuned on one draw fits that one. */
const SEEDS = [7, 8, 9] as const;
/** Between two looks at the clock, in simulated milliseconds. */
const STEP_MS = 100;

type MixRun = (
  orders: readonly MixOrder[],
  reads: MixReads,
  scale: number,
) => Promise<ReadonlyMap<string, number>>;

const bound =
  (between: typeof informed, budget: number): MixRun =>
  async (orders, reads, scale) =>
    boundClient(orders, between, reads, {
      pollMs: POLL_MS * scale,
      budget,
      until: MINUTES * RATE_WINDOW_MS * scale,
      stepMs: STEP_MS * scale,
    });

const CLIENTS: readonly (readonly [name: string, run: MixRun])[] = [
  [
    `Reelay, ${BUDGET} reads`,
    (orders, reads, scale) =>
      ourPoller(orders, reads, {
        pollMs: POLL_MS * scale,
        windowMs: RATE_WINDOW_MS * scale,
        until: MINUTES * RATE_WINDOW_MS * scale,
        stepMs: STEP_MS * scale,
      }),
  ],
  [`informed, ${BUDGET} reads`, bound(informed, BUDGET)],
  [`informed, ${RATE_LIMITS.status} reads`, bound(informed, RATE_LIMITS.status)],
  [`oracle, ${RATE_LIMITS.status} reads`, bound(oracle, RATE_LIMITS.status)],
];

/** What came of one draw, in the order of the columns: times in seconds of unscaled time. */
async function draw(run: MixRun, keys: number, scale: number, seed: number): Promise<number[]> {
  const orders = mixedOrders(MINUTES, keys, seed).map((order) => scaled(order, scale));
  const reads = new MixReads(RATE_WINDOW_MS * scale, POLL_MS * scale);
  const told = await run(orders, reads, scale);
  const minute = RATE_WINDOW_MS * scale;
  const lags = orders
    .filter(({ endsAt }) => endsAt >= COUNTED[0] * minute && endsAt < COUNTED[1] * minute)
    .map(({ id, endsAt }) => ((told.get(id) ?? MINUTES * minute) - endsAt) / scale / 1000);
  const untold = orders.filter(({ id, endsAt }) => endsAt < COUNTED[1] * minute && !told.has(id)).length;
  return [median(lags), mean(lags), quantile(lags, 0.95), untold, reads.count, reads.tooSoon, reads.refused];
}

/** One row: the means over all draws, counts rounded up, so that none is lost. */
async function measure(name: string, run: MixRun, keys: number, scale: number): Promise<string[]> {
  say(`  ${name}, ${keys} keys, times ${scale}`);
  const draws: number[][] = [];
  for (const seed of SEEDS) draws.push(await draw(run, keys, scale, seed));
  const means = (draws[0] ?? []).map((_, column) => mean(draws.map((one) => one[column] ?? 0)));
  return [
    name,
    ...means.map((value, column) => (column < 3 ? `${value.toFixed(1)} s` : String(Math.ceil(value)))),
  ];
}

function scaled(order: MixOrder, scale: number): MixOrder {
  const [least, most] = order.kind.seconds;
  return {
    ...order,
    kind: { ...order.kind, seconds: [least * scale, most * scale] },
    acceptedAt: order.acceptedAt * scale,
    endsAt: order.endsAt * scale,
  };
}

/** How late people hear of the full published mix, against clients that know when jobs end. */
export async function mix(): Promise<Section> {
  const head = [
    "",
    "told after the end, median",
    "mean",
    "95th percentile",
    "untold at the end",
    "reads",
    "read too soon",
    "429s",
  ];
  const tables: string[] = [];
  for (const keys of [1, 20]) {
    for (const scale of SCALES) {
      const rows: string[][] = [];
      for (const [name, run] of CLIENTS) rows.push(await measure(name, run, keys, scale));
      const title = `${keys === 1 ? "One key" : `${keys} keys`}, ${scale === 1 ? "unscaled" : `time ${1 / scale} times faster`}`;
      tables.push(`### ${title}\n\n${table(head, rows)}`);
    }
  }
  const text = `160 jobs a minute from one address, every group at its published limit but image pro, for ${MINUTES} minutes, in simulated
time, the same ends for all. Reelay's own poller, plan and experience start cold; its limiter leaves ${RATE_LIMITS.status - BUDGET} of the
${RATE_LIMITS.status} reads a minute to people's own requests, and more where any come. The informed client knows between which durations each kind ends, the
oracle when each job does; both read where most waiting is expected to have gathered, whenever the window has a read left.
Jobs count that end from the third minute to the last but one; one that is never told counts as told at the end. Times are
unscaled, and all figures means over ${SEEDS.length} draws. 95 of the 160 jobs are in no list and take a read each at the least.

${tables.join("\n\n")}`;
  return { title: "Told after the end, at the full published mix", text };
}
