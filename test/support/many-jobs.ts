import type { Job } from "../../src/domain/jobs/job.ts";
import { newId } from "../../src/domain/jobs/requests.ts";
import { toRow } from "../../src/domain/jobs/row.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { STRETCH } from "../../src/infrastructure/storage/stretches.ts";
import { aJob } from "./job.ts";

/** When the first of {@link manyJobs} was asked for. */
export const MANY_SINCE = Date.parse("2026-01-30T00:00:00Z");

/** How long after one the next is asked for. */
export const MANY_EVERY_MS = 60_000;

/** Steps of a job's life as they stand in the ledger. */
const STANDS: readonly Pick<Job, "state" | "delivery">[] = [
  ...(["queued", "submitting", "unsure", "running"] as const).map(
    (state) => ({ state, delivery: "none" }) as const,
  ),
  ...(["completed", "failed", "cancelled"] as const).flatMap((state) =>
    (["due", "delivering", "delivered", "undeliverable"] as const).map((delivery) => ({ state, delivery })),
  ),
];

/** Whatever it is given: the same number for the same. */
const chance = (nth: number, of: number) =>
  Math.floor(Math.abs(Math.sin(nth * 12.9898) * 43_758.5453) * of) % of;

/** Writes jobs of two people, more than are looked at in one go. @returns them, the oldest first */
export async function manyJobs({ kysely }: Database): Promise<readonly Job[]> {
  const jobs = Array.from({ length: 2 * STRETCH + 500 }, (_, nth): Job => {
    const createdAt = MANY_SINCE + nth * MANY_EVERY_MS;
    // Most are alike, as they are anywhere.
    const stand = chance(nth, 10) > 0 ? undefined : STANDS[chance(nth + 0.1, STANDS.length)];
    const { state, delivery } = stand ?? { state: "completed", delivery: "delivered" };
    const hasEnded = state === "completed" || state === "failed" || state === "cancelled";
    return aJob({
      id: newId(createdAt),
      user: chance(nth + 0.2, 8) > 0 ? "http:shop" : "http:salon",
      operation: chance(nth + 0.3, 50) > 0 ? "video" : "image",
      tags: {
        platform: chance(nth + 0.4, 3) > 0 ? "shop" : "telegram",
        inAppUsername: ["ann", "ben", "bo", "\u00e9ve"][chance(nth + 0.5, 40)] ?? "zoe",
      },
      state,
      delivery,
      createdAt,
      endedAt: hasEnded ? createdAt + 1_000 * chance(nth + 0.6, 100) : null,
      cost: hasEnded ? chance(nth + 0.7, 1_000) / 100 : null,
      fingerprint: String(nth),
    });
  });
  for (let nth = 0; nth < jobs.length; nth += 500) {
    const rows = jobs.slice(nth, nth + 500).map((job) => Object.assign(toRow(job), { runner: "one" }));
    await kysely.insertInto("jobs").values(rows).execute();
  }
  return jobs;
}

/** Does something, and tells how often others had their turn meanwhile. */
export async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  await work();
  clearImmediate(next);
  return turns;
}
