import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import type { Job, Transition } from "../../../src/domain/jobs/job.ts";
import { actOn, lineAbout } from "../../../src/domain/operators/job-acts.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import type { JobAct, JobSeen } from "../../../src/seam/access/console.ts";
import type { Operator } from "../../../src/seam/access/operators.ts";
import { Surfaces } from "../../../src/seam/surface/surfaces.ts";
import { aRequest } from "../../support/job.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { MemorySurface } from "../../support/surface.ts";

const ANN: Operator = { id: "web:ann", role: "operator" };
const BEN: Operator = { id: "web:ben", role: "operator" };

let database: Database;
let ledger: Ledger;
let audit: Audit;
let chat: MemorySurface;
const withheld = new Set<string>();

beforeEach(async () => {
  database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  ledger = new Ledger(database, "here");
  audit = await Audit.open(database, "digest");
  chat = new MemorySurface("telegram");
  withheld.clear();
});
afterEach(() => database.close());

/** A job of somebody on Telegram after some steps. */
async function aJob(steps: readonly Transition[] = [], different: Parameters<typeof aRequest>[0] = {}) {
  let job = await ledger.add(
    aRequest({ user: "telegram:7", surface: "telegram", address: { chat: 7 }, ...different }),
    Date.now(),
  );
  for (const step of steps)
    job = await ledger.apply(job, step.type === "accepted" ? { ...step, serviceId: job.id } : step);
  return job;
}

const at = 1_000;
const SENT = { type: "submitting", at, balance: 10 } as const;
const TAKEN = { type: "accepted", at, serviceId: "s1", cost: 2, balance: 8 } as const;
const TOLD = [{ type: "delivering" }, { type: "delivered", at }] as const;
const DONE = [SENT, TAKEN, { type: "completed", at, result: ["http://x/a.mp4"], cost: 2 }, ...TOLD] as const;
const failedWith = (code: "job_failed" | "lost_track") =>
  [SENT, { type: "failed", at, error: { code, params: {} }, cost: 0 }, ...TOLD] as const;

function act(
  operator: Operator,
  { id, state, delivery }: Job,
  what: Exclude<JobAct, "note">,
  seen?: JobSeen,
) {
  const parts = {
    ledger,
    audit,
    database,
    reports: { isWithheld: async (job: string) => withheld.has(job) },
    surfaces: new Surfaces([chat], []),
    experience: { price: () => 3 },
  };
  return actOn(
    parts as unknown as Parameters<typeof actOn>[0],
    operator,
    id,
    what,
    seen ?? { state, delivery },
  );
}

const acted = async ({ id }: Job) =>
  (await audit.read({ job: id, limit: 10 })).map(({ act: what, user, rule }) => [what, user, rule]);

describe("an operator", () => {
  it("takes a job out of the queue, which its person is told and the audit keeps", async () => {
    const job = await aJob();
    await act(ANN, job, "cancel");
    expect(await ledger.find(job.id)).toMatchObject({ state: "cancelled", delivery: "due", cost: 0 });
    expect(await acted(job)).toEqual([["cancel", "web:ann", "telegram:7"]]);
  });

  it("of two who press at once one does it, and the other hears so", async () => {
    const job = await aJob();
    const pressed = await Promise.allSettled([act(ANN, job, "cancel"), act(BEN, job, "cancel")]);
    expect(pressed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(pressed.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "changed_meanwhile" },
    });
    expect(await acted(job)).toHaveLength(1);
  });

  it.each(["cancel", "deliver", "offer"] as const)(
    "does nothing to a job that is not as they saw it: %s",
    async (what) => {
      const seen = { state: "queued", delivery: "none" };
      for (const steps of [[SENT], DONE, failedWith("job_failed")]) {
        const job = await aJob(steps, { fingerprint: crypto.randomUUID() });
        await expect(act(ANN, job, what, seen)).rejects.toMatchObject({ code: "changed_meanwhile" });
        expect(await ledger.find(job.id)).toEqual(job);
        expect(await acted(job)).toEqual([]);
      }
      expect(chat.messages).toEqual([]);
    },
  );

  it("has an outcome told once more, once however many press", async () => {
    const job = await aJob(DONE);
    const pressed = await Promise.allSettled([act(ANN, job, "deliver"), act(BEN, job, "deliver")]);
    expect(pressed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await ledger.find(job.id)).toMatchObject({ state: "completed", delivery: "due", cost: 2 });
    expect((await acted(job)).map(([what]) => what)).toEqual(["redeliver"]);
  });

  it("has nothing told that was taken down, or that an app was told, which asks for itself", async () => {
    const job = await aJob(DONE);
    withheld.add(job.id);
    const partners = await aJob(DONE, { user: "http:shop", surface: "http", fingerprint: "another" });
    for (const one of [job, partners])
      await expect(act(ANN, one, "deliver")).rejects.toMatchObject({ code: "changed_meanwhile" });
  });

  it("offers a failed job's person the button that makes it again: nothing is made before they press", async () => {
    const job = await aJob(failedWith("job_failed"));
    await act(ANN, job, "offer");
    expect(chat.messages.map(({ address }) => address)).toEqual([{ chat: 7 }]);
    expect(chat.showing("notice")).toMatchObject([
      { text: { key: "job.offered" }, actions: [{ token: `again:${job.id}@3` }] },
    ]);
    expect(await ledger.count({ user: "telegram:7" })).toBe(1);
    // Pressed twice, or by two, is offered once.
    await expect(act(BEN, job, "offer")).rejects.toMatchObject({ code: "changed_meanwhile" });
    expect(chat.messages).toHaveLength(1);
  });

  it("offers nothing again that may have been accepted after all", async () => {
    const job = await aJob(failedWith("lost_track"));
    await expect(act(ANN, job, "offer")).rejects.toMatchObject({ code: "changed_meanwhile" });
    expect(chat.messages).toEqual([]);
  });
});

describe("what the audit keeps of it", () => {
  it("names one of a partner's people as they are named everywhere", () => {
    const tags = { platform: "http", inAppUsername: "anna" };
    const job = { id: "j", user: "http:shop", operation: "video", tags } as const;
    expect(lineAbout("cancel", job, ANN)).toMatchObject({ rule: "http:shop/anna", user: "web:ann" });
  });

  it("loses whom it is about, and a note's words, when they are forgotten", async () => {
    const job = await aJob(DONE);
    await audit.write({ ...lineAbout("note", job, ANN), note: "2 tokens given back to Seven" });
    await audit.forget("telegram:7");
    expect(await audit.read({ job: job.id, limit: 1 })).toMatchObject([
      { act: "note", user: "web:ann", rule: null, content: null },
    ]);
  });
});
