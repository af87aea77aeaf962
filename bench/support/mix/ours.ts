import { setImmediate as turn } from "node:timers/promises";
import { mock } from "node:test";
import { JOBS_PER_PAGE, RATE_LIMITS } from "../../../src/common/contract.ts";
import { sleep } from "../../../src/common/time.ts";
import type { AccountCallOptions, Accounts } from "../../../src/domain/accounts/accounts.ts";
import { Experience } from "../../../src/domain/jobs/experience/experience.ts";
import { after, type Job, type JobChange, type Transition } from "../../../src/domain/jobs/job.ts";
import type { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { Poller } from "../../../src/domain/jobs/polling/poller.ts";
import type { ReadTimes } from "../../../src/domain/jobs/polling/read-times.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { backgroundLimit } from "../../../src/infrastructure/queue/limiter.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { aJob } from "../../../test/support/job.ts";
import type { MixOrder } from "./orders.ts";
import type { MixReads } from "./reads.ts";

/** What the limiter leaves to what nobody waits for, while people send nothing. */
export const BUDGET = backgroundLimit(RATE_LIMITS.status, 0);

/** Jobs of one page of the list. */
const perPage = JOBS_PER_PAGE.max;

/** How the poller's time runs. */
interface OurPace {
  readonly pollMs: number;
  readonly windowMs: number;
  readonly until: number;
  readonly stepMs: number;
}

/**
 * The product's poller, plan and experience against a service in memory, by a clock that is moved by hand. It starts without
 * having seen any job.
 * @returns when each job was known to have ended
 */
export async function ourPoller(
  orders: readonly MixOrder[],
  reads: MixReads,
  { pollMs, windowMs, until, stepMs }: OurPace,
): Promise<ReadonlyMap<string, number>> {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000_000 });
  try {
    const start = Date.now();
    const now = () => Date.now() - start;
    const told = new Map<string, number>();
    const byId = new Map(orders.map((order) => [order.id, order]));
    let changed: ((change: JobChange) => void) | undefined;
    const publish = (job: Job, before?: Job) => changed?.({ job, before });
    const record = ({ id, kind, acceptedAt, endsAt }: MixOrder) => {
      const isOver = endsAt <= now();
      const isTimed = kind.type !== "vid3";
      return {
        id,
        type: kind.type,
        state: isOver ? "completed" : "running",
        progress: null,
        cost: null,
        error: null,
        createdAt: isTimed ? start + acceptedAt : null,
        completedAt: isTimed && isOver ? start + endsAt : null,
        videoUrl: isOver ? "/v" : null,
        imageUrl: null,
        resultUrls: [],
        fileReady: true,
        raw: {},
      };
    };
    // As the limiter does: whoever comes waits for a place in the window.
    let line = Promise.resolve();
    const takePlace = async (ids: () => readonly string[], before: Promise<void>) => {
      await before;
      while (reads.recent(now()) >= BUDGET) await sleep(stepMs);
      reads.add(now(), ids());
    };
    const place = (ids: () => readonly string[]) => (line = takePlace(ids, line));
    // Newest first, as the service lists them, with what ended long ago.
    const page = (key: string, nth: number) => {
      const ofKey = orders.filter((order) => order.key === key && order.listed && order.acceptedAt <= now());
      return { all: ofKey.length, shown: ofKey.toReversed().slice((nth - 1) * perPage, nth * perPage) };
    };
    const one = async (id: string, onLeave?: () => void) => {
      await place(() => [id]);
      onLeave?.();
      const order = byId.get(id);
      if (!order) throw new Error("It was ordered.");
      return record(order);
    };
    const looked = new Map<string, Set<string>>();
    const api = (key: string, { onLeave }: AccountCallOptions) => ({
      job: (id: string) => one(id, onLeave),
      vid3Job: (id: string) => one(id, onLeave),
      vid3VideoUrl: (id: string) => `/${id}`,
      faceswapJob: (id: string) => one(id, onLeave),
      async jobs({ page: nth }: { page: number }) {
        // What a new job pushed to the next page meanwhile is shown once more by the same look through the list.
        if (nth === 1) looked.set(key, new Set());
        const seen = looked.get(key);
        await place(() => {
          const ids = page(key, nth).shown.map(({ id }) => id);
          const news = ids.filter((id) => !told.has(id) && !seen?.has(id));
          for (const id of ids) seen?.add(id);
          return news;
        });
        onLeave?.();
        const { all, shown } = page(key, nth);
        return { jobs: shown.map(record), hasNext: all > nth * perPage };
      },
    });
    const accounts = {
      of: async ({ keyId }: Job) => ({ api: (options: AccountCallOptions) => api(keyId, options) }),
    } as unknown as Accounts;
    const apply = async (before: Job, event: Transition) => {
      const job = after(before, event);
      if (event.type === "completed") told.set(job.id, now());
      publish(job, before);
      return job;
    };
    const ledger = {
      onChange(listener: (change: JobChange) => void) {
        changed = listener;
        return () => {};
      },
      inState: async () => [],
      apply,
      settle: apply,
    } as unknown as Ledger;
    const experience = await Experience.open(noDatabase(), "sandbox");
    const readTimes = { all: async () => new Map(), keep: async () => {} } as unknown as ReadTimes;
    // Whatever a poller works with that is not here would count as reads that failed.
    let failure: unknown;
    const fail = ({ err }: { readonly err: unknown }) => void (failure ??= err);
    const log = { warn: fail, error: fail } as unknown as Logger;
    const poller = new Poller({
      ledger,
      accounts,
      experience,
      readTimes,
      log,
      pollMs,
      rateWindowMs: windowMs,
      egresses: 1,
    });
    await poller.start();
    let coming = 0;
    while (now() < until) {
      for (let order = orders[coming]; order && order.acceptedAt <= now(); order = orders[++coming]) {
        const { kind, id, key } = order;
        const values = aValues(kind.operation);
        const asked = { id, serviceId: id, keyId: key, operation: kind.operation, values };
        const before = aJob({ ...asked, state: "submitting" });
        publish({ ...before, state: "running", acceptedAt: start + order.acceptedAt }, before);
      }
      mock.timers.tick(stepMs);
      for (let turns = 0; turns < 3; turns++) await turn();
    }
    const stopped = poller.stop();
    for (let turns = 0; turns < 20; turns++) {
      mock.timers.tick(windowMs);
      await turn();
    }
    await stopped;
    if (failure !== undefined) throw new Error("A read failed.", { cause: failure });
    return told;
  } finally {
    mock.timers.reset();
  }
}

/** What a job of an operation is ordered with, as far as its size needs it. */
function aValues(operation: string): Job["values"] {
  const values = aJob().values;
  const { schema } = operationOf(operation);
  const image = values["image"];
  const tries = [
    { prompt: "a lake" },
    { prompt: "a lake", image },
    { prompt: "a lake", images: [image] },
    { target: image, source: image },
  ];
  for (const one of tries) {
    const parsed = schema.safeParse(one);
    if (parsed.success) return parsed.data;
  }
  throw new Error(`No values fit ${operation}: ${Object.keys(schema.shape).join(", ")}`);
}

/** A database that keeps nothing: what is learned stays in memory. */
function noDatabase(): Database {
  const query: object = new Proxy(
    {},
    { get: (_, name) => (name === "execute" ? async () => [] : name === "then" ? undefined : () => query) },
  );
  return { kysely: query } as unknown as Database;
}
