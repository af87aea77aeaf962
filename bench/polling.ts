import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MediaApi } from "../src/infrastructure/api/media-api.ts";
import { RATE_LIMITS, RATE_WINDOW_MS } from "../src/common/contract.ts";
import { sleep } from "../src/common/time.ts";
import { testCore } from "../test/support/core.ts";
import { temporaryFolder, testPicture } from "../test/support/sandbox.ts";
import { person } from "../test/support/surface.ts";
import { follow, type Followed, type Habits } from "./support/naive.ts";
import { mean, percent, quantile, say, type Section, table } from "./support/report.ts";
import { type BenchService, startService } from "./support/service.ts";

const TIME_SCALE = 0.1;
const WINDOW_MS = RATE_WINDOW_MS * TIME_SCALE;
const PEOPLE = 20;
const MINUTES = 4;
const ORDERS = MINUTES * RATE_LIMITS.video;
const JOB_SECONDS = [50, 70] as const;
/** The service's own rule: every 5 to 10 s (section 8.2). */
const POLL_SECONDS = 5;

/** Whose keys the people use; undefined for one that they share. */
type Keys = readonly string[] | undefined;

/** Something that makes videos for people. */
interface Client {
  readonly name: string;
  /** Takes every order at its time; resolves when all is known that ever will be. */
  run(service: BenchService, keys: Keys): Promise<readonly Followed[]>;
}

/** Calls at the full published rate, evenly. */
async function atFullRate<T>(order: (index: number) => Promise<T>): Promise<T[]> {
  const start = performance.now();
  return Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      await sleep(start + (index * WINDOW_MS) / RATE_LIMITS.video - performance.now());
      return order(index);
    }),
  );
}

/** The whole core, from the command to the delivery. */
const reelay: Client = {
  name: "Reelay",
  async run(service, keys) {
    const image = { surface: "web", id: join(temporaryFolder(), "photo.jpg") } as const;
    await writeFile(image.id, Buffer.from(await testPicture(), "base64"));
    const shared = keys ? undefined : service.keys.boss;
    await using core = await testCore(service, { timeScale: TIME_SCALE, sharedKey: shared });
    const { surface, vault, database } = core;
    for (const [index, key] of keys?.entries() ?? []) await vault.put(person(`${index}`).user, key);
    await atFullRate((index) =>
      surface.intake.command(person(`${index % PEOPLE}`), "video", { image, prompt: `order ${index}` }),
    );
    // It gives up when nothing was shown for long; what is missing then counts as lost.
    await surface.results(ORDERS).catch(() => undefined);
    // What was just shown is still to be written down.
    await sleep(0.1 * WINDOW_MS);
    const jobs = await database.kysely
      .selectFrom("jobs")
      .select(["service_id", "ended_at", "delivery"])
      .execute();
    return jobs.map(({ service_id, ended_at, delivery }) => ({
      serviceId: service_id ?? "",
      knownAt: delivery === "delivered" ? ended_at : null,
    }));
  },
};

/** @param seconds between two reads of a job, before scaling */
const bot = (name: string, { seconds, on429 }: { seconds: number; on429: Habits["on429"] }): Client => ({
  name,
  async run(service, keys) {
    const habits = { intervalMs: seconds * 1000 * TIME_SCALE, on429 };
    const image_base64 = await testPicture();
    return atFullRate((index) => {
      const key = keys?.[index % PEOPLE] ?? service.keys.boss;
      return follow(service.url, key, { image_base64, prompt: `order ${index}` }, habits);
    });
  },
});

const CLIENTS: readonly Client[] = [
  reelay,
  bot(`every ${POLL_SECONDS} s, a 429 ends the job`, { seconds: POLL_SECONDS, on429: "lost" }),
  bot(`every ${POLL_SECONDS} s, a 429 is passed over`, { seconds: POLL_SECONDS, on429: "wait" }),
  bot("every 500 ms, a 429 ends the job", { seconds: 0.5, on429: "lost" }),
  bot("every 500 ms, a 429 is passed over", { seconds: 0.5, on429: "wait" }),
];

/** One row: what a client delivered, how late it knew, what it asked. */
async function measure(client: Client, sharing: boolean): Promise<string[]> {
  say(`  ${client.name}, ${sharing ? "one key" : `${PEOPLE} keys`}`);
  await using service = await startService({
    timeScale: TIME_SCALE,
    jobSeconds: JOB_SECONDS,
    people: PEOPLE,
  });
  const keys = sharing ? undefined : service.peopleKeys;
  const outcomes = await client.run(service, keys);
  const { requests, rejected } = await service.counts();
  // The service itself says when each job ended; asked in a fresh window, by its published ways.
  await sleep(1.1 * WINDOW_MS);
  const lags: number[] = [];
  const knownAt = new Map(outcomes.map((outcome) => [outcome.serviceId, outcome.knownAt]));
  for (const key of keys ?? [service.keys.boss]) {
    const api = new MediaApi({ baseUrl: service.url, key });
    for await (const { id, startedAt, completedAt } of api.allJobs()) {
      const known = knownAt.get(id);
      if (known && startedAt !== null && completedAt !== null)
        lags.push((known - completedAt) / (completedAt - startedAt));
    }
    await api.close();
  }
  return [
    client.name,
    percent(lags.length / ORDERS),
    percent(mean(lags)),
    percent(quantile(lags, 0.95)),
    ((requests.status ?? 0) / ORDERS).toFixed(1),
    String(rejected.rate),
  ];
}

/** What clients deliver at the full published rate of videos, on one IP. */
export async function polling(): Promise<Section> {
  const head = ["", "delivered", "lag, mean", "lag, 95th percentile", "status requests a job", "429s"];
  const tables: string[] = [];
  for (const sharing of [true, false]) {
    const rows: string[][] = [];
    for (const client of CLIENTS) rows.push(await measure(client, sharing));
    const title = sharing ? "One key for all" : `A key each for ${PEOPLE} people`;
    tables.push(`### ${title}\n\n${table(head, rows)}`);
  }
  const [least, most] = JOB_SECONDS;
  const bound = POLL_SECONDS / 2 / ((least + most) / 2);
  const text = `${PEOPLE} people order ${RATE_LIMITS.video} videos a minute, evenly, for ${MINUTES} minutes: ${ORDERS} orders from one IP. A render takes ${least} to ${most} s,
so that about 20 run at once. The sandbox counts strictly, in any window, and runs in a process of its own; time runs
${1 / TIME_SCALE} times faster, intervals and all. Reelay is the whole core, from the command to the file delivered on a platform
in memory; it starts cold, without ever having seen how long a render takes. The peers submit, ask for each job at a
fixed interval and fetch its file. Existing bots take a 429 to a status read for the job's failure: the video is made
and paid for, and nobody gets it. The rows "passed over" are kinder to them. A refused submission is tried again
after the interval.

Lag is from a job's end, as the service records it, to the client's knowing, in % of that job's render; asking every
${POLL_SECONDS} s without any refusal gives ${percent(bound)} on average, the bound for whoever keeps to the service's rule of 5 s. Status
requests are all of that group: single reads, lists, and what was refused. The whole mix of 160 jobs a minute comes
with the other operations.

${tables.join("\n\n")}`;
  return { title: "Every video delivered, at the full published rate", text };
}
