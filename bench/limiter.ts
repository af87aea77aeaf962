import { join } from "node:path";
import Bottleneck from "bottleneck";
import { RateLimited } from "../src/infrastructure/api/transport/errors.ts";
import { RATE_LIMITS, RATE_WINDOW_MS } from "../src/common/contract.ts";
import { Limiter } from "../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../src/infrastructure/queue/window-log.ts";
import { type Counting, Rates } from "../src/sandbox/service/rates.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { sleep } from "../src/common/time.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { percent, say, type Section, table } from "./support/report.ts";

/** Long enough that timers, SQLite and bottleneck's own work take less than a hundredth of it. */
const WINDOW_MS = 3_000;
const LIMIT = RATE_LIMITS.video;
/** What the network adds to the way there, and again to the way back, at most. */
const LATENCY_MS = 0.1 * WINDOW_MS;
/** The first burst fits a window that nothing was sent in; it is left out. */
const WARM_UP_WINDOWS = 2;
const WINDOWS = 30;
/** Requests that always wait to be sent: twice what any window takes. */
const BACKLOG = 2 * LIMIT;

type Send = () => Promise<void>;

/** A way of keeping a limit. */
interface Strategy {
  readonly name: string;
  open(): Promise<{ run(send: Send): Promise<void>; close(): Promise<void> }>;
}

/** bottleneck looks at its reservoir four times a second; the window is shrunk, so that is, too. */
const heartbeatInterval = Math.ceil((250 * WINDOW_MS) / RATE_WINDOW_MS);

const withBottleneck = (name: string, options: Bottleneck.ConstructorOptions): Strategy => ({
  name,
  async open() {
    const limiter = new Bottleneck({ ...options, heartbeatInterval });
    return { run: (send) => limiter.schedule(send), close: () => limiter.disconnect() };
  },
});

const STRATEGIES: readonly Strategy[] = [
  {
    name: "Reelay",
    async open() {
      const database = await openDatabase(join(temporaryFolder(), "limiter.db"));
      const limiter = new Limiter({ log: new WindowLog(database, WINDOW_MS) });
      return {
        run: (send) => limiter.run({ group: "video", key: "key", user: "user" }, send),
        close: () => database.close(),
      };
    },
  },
  withBottleneck("bottleneck, reservoir and reservoirRefresh", {
    reservoir: LIMIT,
    reservoirRefreshAmount: LIMIT,
    reservoirRefreshInterval: WINDOW_MS,
  }),
  withBottleneck("bottleneck, minTime = window / limit", { minTime: WINDOW_MS / LIMIT }),
  withBottleneck("bottleneck, minTime = (window + largest latency) / limit", {
    minTime: (WINDOW_MS + LATENCY_MS) / LIMIT,
  }),
  { name: "none", open: async () => ({ run: (send) => send(), close: async () => {} }) },
];

interface Outcome {
  sent: number;
  refused: number;
  /** Accepted ones, as a share of what the service would have accepted. */
  share: number;
  /** When the limit's last request of the first window was accepted, as a share of the window. */
  burst: number;
}

/** Saturates a strict server through a strategy. */
async function saturate(strategy: Strategy, counting: Counting): Promise<Outcome> {
  const start = performance.now();
  // Fixed windows begin where they are hardest to keep: in the midst of the burst after a refresh.
  const rates = new Rates(WINDOW_MS, counting, () => performance.now() - start - LATENCY_MS / 2);
  const from = start + WARM_UP_WINDOWS * WINDOW_MS;
  const until = from + WINDOWS * WINDOW_MS;
  const accepted: number[] = [];
  const counted = { sent: 0, refused: 0 };
  const send = async () => {
    await sleep(Math.random() * LATENCY_MS);
    const taken = rates.take("video", ["key"]);
    const at = performance.now();
    if (taken) accepted.push(at);
    if (at >= from && at < until) counted[taken ? "sent" : "refused"] += 1;
    await sleep(Math.random() * LATENCY_MS);
    if (!taken) throw new RateLimited();
  };
  const limiter = await strategy.open();
  const caller = async () => {
    while (performance.now() < until) await limiter.run(send).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: BACKLOG }, caller));
  await limiter.close();
  return {
    sent: counted.sent + counted.refused,
    refused: counted.refused,
    share: counted.sent / (LIMIT * WINDOWS),
    burst: ((accepted[LIMIT - 1] ?? Number.NaN) - start) / WINDOW_MS,
  };
}

/** How much of a published limit each strategy uses, and what the service refuses. */
export async function limiter(): Promise<Section> {
  say(`  ${WARM_UP_WINDOWS + WINDOWS} windows of ${WINDOW_MS} ms`);
  // Side by side: each of them mostly waits.
  const rows = await Promise.all(
    STRATEGIES.map(async (strategy) => {
      const [sliding, fixed] = await Promise.all([
        saturate(strategy, "sliding"),
        saturate(strategy, "fixed"),
      ]);
      return [
        strategy.name,
        percent(sliding.share),
        `${sliding.refused} / ${sliding.sent}`,
        percent(fixed.share),
        `${fixed.refused} / ${fixed.sent}`,
        percent(sliding.burst),
      ];
    }),
  );
  const text = `${WINDOWS} windows of ${WINDOW_MS / 1000} s (60 s, ${RATE_WINDOW_MS / WINDOW_MS} times faster) after ${WARM_UP_WINDOWS} to warm up, ${LIMIT} requests allowed in each and
${BACKLOG} always waiting, against a server that counts strictly: in any window (sliding), or in one after another (fixed,
with the border where a refreshed burst falls on both sides of it). The way there and the way back each take 0 to
10 % of a window at random. Reelay's limiter keeps its log in SQLite on disk, as it always does; bottleneck's heartbeat is
scaled with the window. A refused request is tried again when it is its turn.

"First ${LIMIT}" is how much of a window an idle limiter takes to get ${LIMIT} requests through: even spacing stretches every
burst over a whole window, and keeps the limit only where the largest latency is known beforehand.

${table(["", "share, sliding", "429s / sent", "share, fixed", "429s / sent", `first ${LIMIT}`], rows)}`;
  return { title: "A published limit under saturation", text };
}
