import { expect, it } from "vitest";
import {
  type ServiceJob,
  type MediaApi,
  Network,
  NotFound,
} from "../../../../src/infrastructure/api/media-api.ts";
import { findElsewhere } from "../../../../src/domain/jobs/polling/elsewhere.ts";
import { everyJob } from "../../../../src/domain/jobs/every-job.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import type { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { asOther } from "../../../../src/domain/jobs/other-job.ts";
import { resultOf } from "../../../../src/domain/jobs/polling/taking.ts";
import { operationOf } from "../../../../src/domain/operations/registry.ts";
import { aJob } from "../../../support/job.ts";

const record = (id: string) => ({ id }) as ServiceJob;
const unknown = () => Promise.reject(new NotFound());
const video = operationOf("video");
/** A service whose list shows these. */
const listing = (...ids: readonly string[]) =>
  ({
    async *allJobs() {
      for (const id of ids) yield record(id);
    },
  }) as unknown as MediaApi;

it("looks for a job in every other place, then in the list", async () => {
  const second = { ...video, otherReads: [unknown, async () => record("there")] };
  expect(await findElsewhere(listing(), second, "s")).toEqual(record("there"));
  expect(await findElsewhere(listing("a", "s"), { ...video, otherReads: [unknown] }, "s")).toEqual(
    record("s"),
  );
  expect(await findElsewhere(listing("a", "s"), video, "s")).toEqual(record("s"));
  expect(await findElsewhere(listing("a"), video, "s")).toBeUndefined();
  expect(await findElsewhere(listing("s"), { ...video, listed: false }, "s")).toBeUndefined();
});

it("takes a place that cannot be read for no answer", async () => {
  const broken = { ...video, otherReads: [() => Promise.reject(new Network())] };
  await expect(findElsewhere(listing("s"), broken, "s")).rejects.toBeInstanceOf(Network);
});

const others = (count: number) => Array.from({ length: count }, (_, nth) => `other ${nth}`);

it("looks through three hundred of the list", async () => {
  expect(await findElsewhere(listing(...others(299), "s"), video, "s")).toEqual(record("s"));
  expect(await findElsewhere(listing(...others(300), "s"), video, "s")).toBeUndefined();
});

it("goes through a person's jobs page by page", async () => {
  const ids = Array.from({ length: 401 }, (_, nth) => aJob({ id: String(1_000 - nth) }));
  const asked: unknown[] = [];
  const ledgerOf = (jobs: readonly Job[]) =>
    ({
      async ofUser(_user: string, { before, limit, ...sought }: { before?: string; limit: number }) {
        asked.push({ before, ...sought });
        const begin = before === undefined ? 0 : jobs.findIndex(({ id }) => id === before) + 1;
        return jobs.slice(begin, begin + limit);
      },
    }) as unknown as Ledger;
  const found = async (jobs: readonly Job[]) => {
    const seen: string[] = [];
    for await (const { id } of everyJob(ledgerOf(jobs), "web:me", { username: "ann" })) seen.push(id);
    return seen;
  };
  expect(await found(ids)).toEqual(ids.map(({ id }) => id));
  expect(asked).toEqual([undefined, "801", "601"].map((before) => ({ before, username: "ann" })));
  expect(await found([])).toEqual([]);
  // A whole page may be the last one.
  expect(await found(ids.slice(0, 200))).toHaveLength(200);
});

it("finds where the files of a job are in its record", () => {
  const nothing = { resultUrls: [], videoUrl: null, imageUrl: null } as unknown as ServiceJob;
  expect(resultOf(nothing)).toEqual([]);
  expect(resultOf({ ...nothing, imageUrl: "/i" })).toEqual(["/i"]);
  expect(resultOf({ ...nothing, videoUrl: "/v", imageUrl: "/i" })).toEqual(["/v"]);
  expect(resultOf({ ...nothing, videoUrl: "/v", resultUrls: ["/1", "/2"] })).toEqual(["/1", "/2"]);
});

const accepted = aJob({ state: "running", submittedAt: 5, acceptedAt: 9, cost: 4 });
const usual = { type: "video", sentAt: 5, acceptedAt: 9, cost: 4, ending: "none" };
const SINCE = 100;
const failed = {
  ...accepted,
  state: "failed",
  endedAt: SINCE,
  error: { code: "job_failed", params: {} },
} as const;
const lost = { ...failed, acceptedAt: null, cost: null, error: { code: "lost_track", params: {} } } as const;

it.each<[string, Job, object | undefined]>([
  ["was accepted", accepted, usual],
  ["was made", { ...accepted, state: "completed", endedAt: SINCE }, usual],
  ["failed, so that it may be given back", failed, { ...usual, ending: "refund" }],
  ["failed before that", { ...failed, endedAt: SINCE - 1 }, usual],
  ["was never accepted", { ...failed, acceptedAt: null }, undefined],
  ["is queued", aJob(), undefined],
  ["is being sent", aJob({ state: "submitting", submittedAt: 5 }), { ...usual, acceptedAt: null, cost: 7 }],
  ["is in doubt", aJob({ state: "unsure" }), { ...usual, sentAt: 1, acceptedAt: null, cost: 7 }],
  ["was given up", lost, { ...usual, acceptedAt: null, cost: 7 }],
  [
    "was given up once it was accepted",
    { ...lost, acceptedAt: 9 },
    { ...usual, cost: null, ending: "refund" },
  ],
  [
    "may be settled at another price",
    { ...accepted, operation: "vid3", state: "completed", endedAt: SINCE },
    { ...usual, type: "vid3", ending: "unknown" },
  ],
])("counts another job that %s for what it does to the account", (_name, job, other) => {
  expect(asOther(job, SINCE, 7)).toEqual(other);
});
