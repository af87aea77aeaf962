import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NOBODY } from "../../../src/domain/jobs/adopt.ts";
import {
  IllegalTransition,
  type Job,
  type JobChange,
  type Transition,
} from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import type { Platform } from "../../../src/seam/values.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const INTENT = { type: "submitting", at: 2, balance: null } as const;
const LOST = { type: "lost", at: 3 } as const;
const ACCEPTED = { type: "accepted", at: 3, serviceId: "s-1", cost: 1, balance: 1 } as const;
const COMPLETED = { type: "completed", at: 4, result: ["/a.mp4"], cost: 1 } as const;

let database: Database;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});

afterEach(() => database.close());

const ledgerOf = (runner: string) => new Ledger(database, runner);

/** A job of a process as it left it. */
async function leftBy(
  runner: string,
  events: readonly Transition[],
  surface: Platform = "web",
): Promise<Job> {
  const ledger = ledgerOf(runner);
  let job = await ledger.add(aRequest({ surface, fingerprint: crypto.randomUUID() }), 1);
  for (const event of events) job = await ledger.apply(job, event);
  return job;
}

/** Who works on a job, and how often it was taken over. */
async function holderOf({ id }: Job) {
  const row = database.kysely.selectFrom("jobs").select(["runner", "fence"]).where("id", "=", id);
  return row.executeTakeFirstOrThrow();
}

async function found({ id }: Job): Promise<Job> {
  const job = await ledgerOf("look").find(id);
  if (!job) throw new Error("It is there.");
  return job;
}

function heardFrom(ledger: Ledger) {
  const heard: JobChange[] = [];
  ledger.onChange((change) => heard.push(change));
  return heard;
}

/** A job that ran when its process died, and was seen to by a node until another one took that over. */
async function seenToByAnother() {
  const left = await leftBy("dead", [INTENT, ACCEPTED]);
  const [slept, other] = [ledgerOf("slept"), ledgerOf("other")];
  await slept.takeFromService(["dead"], []);
  await other.adopt(["slept"], ["web"]);
  await expect(slept.apply({ ...left, fence: 1 }, COMPLETED)).rejects.toThrow(IllegalTransition);
  return { slept, other, job: await found(left) };
}

describe("what processes that are gone left at the service", () => {
  it("is taken over where somebody waits for it, and nothing else of theirs", async () => {
    const running = await leftBy("dead", [INTENT, ACCEPTED]);
    const unsure = await leftBy("dead", [INTENT, LOST], "telegram");
    const submitting = await leftBy("dead", [INTENT], "http");
    const nobodys = await leftBy(NOBODY, [INTENT, LOST]);
    const others = [
      await leftBy("dead", []),
      await leftBy("dead", [{ type: "cancelled", at: 2 }]),
      await leftBy("dead", [INTENT], "discord"),
      await leftBy("alive", [INTENT]),
    ];
    const heir = ledgerOf("heir");
    const heard = heardFrom(heir);
    await heir.takeFromService(["dead"], ["discord"]);
    for (const one of [running, unsure, submitting, nobodys])
      expect(await holderOf(one)).toEqual({ runner: "heir", fence: 1 });
    // What became of it nobody knows.
    expect(await found(submitting)).toMatchObject({ state: "unsure", submittedAt: 2 });
    for (const one of others) expect(await holderOf(one)).toMatchObject({ fence: 0 });
    expect(new Map(heard.map(({ job, isOthers }) => [job.id, isOthers]))).toEqual(
      new Map([running, unsure, submitting, nobodys].map(({ id }) => [id, true])),
    );
    await heir.takeFromService(["dead"], ["discord"]);
    expect(heard).toHaveLength(4);
  });

  it.each([
    ["made", COMPLETED],
    ["not made", { type: "failed", at: 4, error: { code: "internal", params: {} }, cost: 0 }],
  ] as const)("is left to those who tell of it once it was %s", async (_name, end) => {
    const left = await leftBy("dead", [INTENT, ACCEPTED]);
    const [heir, teller] = [ledgerOf("heir"), ledgerOf("teller")];
    const heard = heardFrom(heir);
    await heir.takeFromService(["dead"], []);
    const moved = await heir.apply(await found(left), { type: "progressed", progress: 50 });
    expect(await holderOf(left)).toEqual({ runner: "heir", fence: 1 });
    await heir.apply(moved, end);
    expect(await holderOf(left)).toEqual({ runner: NOBODY, fence: 2 });
    expect(heard.map(({ isOthers }) => isOthers)).toEqual([true, true, true]);
    await expect(heir.apply(await found(left), { type: "delivering" })).rejects.toThrow(IllegalTransition);
    expect(await teller.adopt([], ["web"])).toBe(1);
    const told = await teller.apply(await found(left), { type: "delivering" });
    await teller.apply(told, { type: "delivered", at: 5 });
    // Which it may be told once more of by whoever was asked for it, as any job.
    await heir.apply(await found(left), { type: "redeliver" });
    expect(await holderOf(left)).toMatchObject({ runner: "heir" });
  });

  it("is sent by those who tell of it, where it never got there", async () => {
    const left = await leftBy("dead", [INTENT]);
    const [heir, teller] = [ledgerOf("heir"), ledgerOf("teller")];
    await heir.takeFromService(["dead"], []);
    const queued = await heir.apply(await found(left), { type: "absent" });
    await expect(heir.apply(queued, INTENT)).rejects.toThrow(IllegalTransition);
    await teller.adopt([], ["web"]);
    await teller.apply(await found(left), INTENT);
  });

  it("is one's own where one gets it back from whoever took it over meanwhile", async () => {
    const { slept, other, job } = await seenToByAnother();
    await slept.adopt(["other"], ["web"]);
    const heard = heardFrom(slept);
    const done = await slept.apply(await found(job), COMPLETED);
    expect(heard).toMatchObject([{ job: { id: job.id } }]);
    expect(heard[0]?.isOthers ?? false).toBe(false);
    expect(await holderOf(job)).toEqual({ runner: "slept", fence: 3 });
    await expect(other.apply(done, { type: "delivering" })).rejects.toThrow(IllegalTransition);
    await slept.apply(done, { type: "delivering" });
  });

  it("stays with whoever took it over and tells of it, whatever who stood still hears of its person", async () => {
    const { slept, other, job } = await seenToByAnother();
    const due = await other.apply(job, COMPLETED);
    const telling = await other.apply(due, { type: "delivering" });
    await slept.apply(telling, { type: "woken" });
    expect(await holderOf(job)).toEqual({ runner: "other", fence: 2 });
    await other.apply(telling, { type: "delivered", at: 5 });
  });

  it("is taken by one of several who wait for it", async () => {
    const left = await Promise.all(Array.from({ length: 6 }, () => leftBy("dead", [INTENT])));
    const heirs = ["one", "two", "three"].map(ledgerOf);
    const heard = heirs.map(heardFrom);
    await Promise.all(heirs.map((heir) => heir.takeFromService(["dead"], [])));
    expect(
      heard
        .flat()
        .map(({ job }) => job.id)
        .toSorted(),
    ).toEqual(left.map(({ id }) => id).toSorted());
    for (const one of left) expect(await holderOf(one)).toMatchObject({ fence: 1 });
  });
});
