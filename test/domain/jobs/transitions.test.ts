import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  after,
  IllegalTransition,
  isOpen,
  type Job,
  type JobState,
  newJob,
  type Transition,
} from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { fromRow, toRow } from "../../../src/domain/jobs/row.ts";
import { setBack } from "../../../src/domain/jobs/adopt.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { aJob, aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const error = { code: "job_failed", params: {} } as const;
const before = { from: 1, to: 2, tokens: 100, totals: null, failed: null } as const;
const told = { deliveredAt: null, delivery: "due", notBefore: 0, attempts: 0, awaits: null } as const;

/** Something of everything, so that whatever is left out or kept shows. */
const full = aJob({
  cost: 4,
  balance: 96,
  progress: 40,
  receipt: { id: "m" },
  submittedAt: 11,
  releasedAt: 12,
  lostAt: 13,
  acceptedAt: 14,
  notBefore: 99,
  attempts: 3,
  serviceId: "s",
});
const running = { ...full, state: "running", awaits: "record" } as const;
const delivering = {
  ...full,
  state: "completed",
  delivery: "delivering",
  awaits: "file",
  result: ["/a"],
} as const;

/** What each event makes of a job: what differs afterwards. */
const STEPS: readonly (readonly [Job, Transition, Partial<Job>])[] = [
  [
    { ...full, before: null },
    { type: "submitting", at: 5, balance: 70, before },
    { state: "submitting", submittedAt: 5, releasedAt: 5, balance: 70, before },
  ],
  [
    { ...full, before },
    { type: "submitting", at: 5, balance: null },
    { state: "submitting", submittedAt: 5, releasedAt: 5, balance: null, before: null },
  ],
  [{ ...full, state: "submitting" }, { type: "releasing", at: 7 }, { releasedAt: 7 }],
  [
    { ...full, state: "submitting" },
    { type: "postponed", until: 50 },
    { state: "queued", notBefore: 50, attempts: 4 },
  ],
  [
    { ...full, state: "submitting" },
    { type: "lost", at: 8 },
    { state: "unsure", lostAt: 8 },
  ],
  [
    { ...full, state: "unsure" },
    { type: "absent" },
    { state: "queued", submittedAt: null, releasedAt: null, lostAt: null, notBefore: 0 },
  ],
  [
    { ...full, state: "unsure", serviceId: null },
    { type: "accepted", at: 9, serviceId: "new", cost: 5, balance: 50 },
    { state: "running", serviceId: "new", cost: 5, balance: 50, acceptedAt: 9, attempts: 0 },
  ],
  [running, { type: "progressed", progress: 41 }, { progress: 41 }],
  [running, { type: "progressed", progress: 39 }, {}],
  [{ ...running, progress: null }, { type: "progressed", progress: 0 }, { progress: 0 }],
  [running, { type: "held", awaits: "record", until: 60 }, { notBefore: 60, attempts: 4 }],
  [running, { type: "held", awaits: "key", until: 60 }, { awaits: "key", notBefore: 60, attempts: 1 }],
  [running, { type: "woken" }, { notBefore: 0 }],
  [running, { type: "resumed" }, { awaits: null, notBefore: 0, attempts: 0 }],
  [running, { type: "resumed", keyId: "k2" }, { awaits: null, notBefore: 0, attempts: 0, keyId: "k2" }],
  [
    running,
    { type: "completed", at: 20, result: ["/v"], cost: 5 },
    { ...told, state: "completed", endedAt: 20, cost: 5, balance: 95, result: ["/v"] },
  ],
  [
    running,
    { type: "completed", at: 20, result: ["/v"], cost: null, lateUntil: 33 },
    { ...told, state: "completed", endedAt: 20, result: ["/v"], awaits: "file", notBefore: 33 },
  ],
  [
    running,
    { type: "failed", at: 20, error, cost: 0 },
    { ...told, state: "failed", endedAt: 20, cost: 0, balance: 100, error },
  ],
  [full, { type: "cancelled", at: 20 }, { ...told, state: "cancelled", endedAt: 20, cost: 0, balance: 100 }],
  [{ ...delivering, delivery: "due" }, { type: "delivering" }, { delivery: "delivering" }],
  [delivering, { type: "delivered", at: 30 }, { delivery: "delivered", deliveredAt: 30, awaits: null }],
  [
    delivering,
    { type: "deferred", until: 70 },
    { delivery: "due", notBefore: 70, attempts: 4, awaits: null },
  ],
  [
    delivering,
    { type: "deferred", until: 70, awaits: "key", result: ["/b"] },
    { delivery: "due", notBefore: 70, attempts: 4, awaits: "key", result: ["/b"] },
  ],
  [delivering, { type: "undeliverable" }, { delivery: "undeliverable", awaits: null }],
  [
    delivering,
    { type: "undeliverable", told: { error, at: 31 } },
    { delivery: "undeliverable", awaits: null, error, deliveredAt: 31 },
  ],
  [
    { ...delivering, error },
    { type: "redeliver" },
    { delivery: "due", notBefore: 0, attempts: 0, awaits: null, error: null },
  ],
  [
    { ...delivering, state: "failed", error },
    { type: "redeliver" },
    { delivery: "due", notBefore: 0, attempts: 0, awaits: null },
  ],
];

const STATES = ["queued", "submitting", "unsure", "running", "completed", "failed", "cancelled"] as const;
const DELIVERIES = ["none", "due", "delivering", "delivered", "undeliverable"] as const;

/** In which states each event fits: of the making, or of the telling. */
const FITS: Readonly<Record<Transition["type"], readonly (JobState | Job["delivery"])[]>> = {
  submitting: ["queued"],
  releasing: ["submitting"],
  postponed: ["queued", "submitting"],
  lost: ["submitting"],
  absent: ["unsure"],
  accepted: ["submitting", "unsure"],
  progressed: ["running"],
  held: ["running"],
  woken: ["running", "completed"],
  resumed: ["running"],
  completed: ["running"],
  failed: ["queued", "submitting", "unsure", "running"],
  cancelled: ["queued"],
  delivering: ["due", "delivering"],
  delivered: ["delivering"],
  deferred: ["delivering"],
  undeliverable: ["delivering"],
  redeliver: ["due", "delivering", "delivered", "undeliverable"],
};

const isTelling = (type: Transition["type"]) => FITS[type].some((one) => one === "delivering");

function takes(job: Job, event: Transition): boolean {
  try {
    return after(job, event) !== job;
  } catch (refusal) {
    if (refusal instanceof IllegalTransition) return false;
    throw refusal;
  }
}

describe("an event", () => {
  it.each(STEPS)("makes of a job what it says, and leaves the rest: %#", (job, event, different) => {
    expect(after(job, event)).toEqual({ ...job, ...different });
  });

  it("fits some states and no others", () => {
    const events = new Map(STEPS.map(([, event]) => [event.type, event]));
    expect([...events.keys()].toSorted()).toEqual(Object.keys(FITS).toSorted());
    for (const event of events.values())
      for (const state of STATES)
        for (const delivery of DELIVERIES) {
          const job = { ...full, state, delivery };
          const fits = FITS[event.type].includes(isTelling(event.type) ? delivery : state);
          expect([event.type, state, delivery, takes(job, event)]).toEqual([
            event.type,
            state,
            delivery,
            fits,
          ]);
        }
  });
});

it("is open as long as the service may be working on it", () => {
  expect(STATES.filter(isOpen)).toEqual(["queued", "submitting", "unsure", "running"]);
});

it("sets back what was on its way, and nothing else", () => {
  const submitting = { ...full, state: "submitting" } as const;
  expect(setBack(submitting, 77)).toEqual({
    job: { ...submitting, state: "unsure", lostAt: 77 },
    before: submitting,
  });
  const due = { ...delivering, delivery: "due", notBefore: 0, attempts: 4 } as const;
  expect(setBack(delivering, 77)).toEqual({ job: due, before: delivering });
  const plain = { ...delivering, awaits: null };
  expect(setBack(plain, 77)).toEqual({ job: { ...due, awaits: null }, before: plain });
  expect(setBack(running, 77)).toEqual({ job: running, before: undefined });
});

it("begins with what was asked for, and nothing else known", () => {
  const { press: _press, traits: _traits, ...request } = aRequest();
  expect(newJob(request, "000000001aaaaaaaaaa", 1)).toEqual(aJob());
});

it("is kept whole in its row, whatever it holds", async () => {
  const whole = {
    ...delivering,
    chat: "web:group",
    request: "telegram:7",
    host: "full-catalog",
    mature: true,
    before: { ...before, totals: { video: 1 } },
    error,
    endedAt: 15,
    deliveredAt: 16,
    fence: 2,
  } as const satisfies Job;
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const row = { ...toRow(whole), runner: "me", fence: 2, receipt: JSON.stringify(whole.receipt) };
  await database.kysely.insertInto("jobs").values(row).execute();
  const ledger = new Ledger(database, "me");
  expect(await ledger.find(whole.id)).toEqual(whole);
  const read = await database.kysely.selectFrom("jobs").selectAll().executeTakeFirstOrThrow();
  expect(fromRow({ ...read, before: null, result: null, error: null, receipt: null, mature: 0 })).toEqual({
    ...whole,
    before: null,
    result: null,
    error: null,
    receipt: null,
    mature: false,
  });
  await database.close();
});
