import { join } from "node:path";
import { assert, asyncProperty, integer, scheduler, type Scheduler } from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Account, AccountCallOptions, Accounts } from "../../../src/domain/accounts/accounts.ts";
import { Experience } from "../../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { RELEASE_MS, Submitter } from "../../../src/domain/jobs/submission/submit.ts";
import type { MediaApi } from "../../../src/infrastructure/api/media-api.ts";
import { Slots } from "../../../src/infrastructure/queue/slots.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { testDatabase } from "../../support/database.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { OWN_KEY_ALONE } from "../../support/own-key.ts";

const RUNS = 300;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

const values = { prompt: "waves", model: "Default", width: 64, height: 64, guidance: 1, steps: 1 };

/** What the service was sent: it accepts everything, each time. */
interface Service {
  /** The words of what was accepted, in that order. */
  readonly accepted: string[];
  /** Of which kinds two were in doubt at once: an answer that is lost could be either's. */
  readonly confused: string[];
}

const twinsInDoubt = async ({ kysely }: Database) => {
  const twins = await kysely
    .selectFrom("jobs")
    .select("fingerprint")
    .where("state", "in", ["submitting", "unsure"])
    .groupBy("fingerprint")
    .having(({ fn }) => fn.countAll(), ">", 1)
    .execute();
  return twins.map(({ fingerprint }) => fingerprint);
};

/** A node whose every step at the ledger, and every answer of the service, comes when the scheduler says. */
async function node(id: string, database: Database, s: Scheduler, service: Service) {
  let isHeld = true;
  const ledger = new Ledger(database, id);
  for (const step of ["nextQueued", "roomFor", "apply", "settle", "find"] as const) {
    const plain = ledger[step].bind(ledger) as (...values: unknown[]) => Promise<unknown>;
    Object.assign(ledger, {
      [step]: async (...given: unknown[]) => {
        await s.schedule(Promise.resolve(), `${id} ${step}`);
        const done = await plain(...given);
        if (step === "apply") service.confused.push(...(await twinsInDoubt(database)));
        return done;
      },
    });
  }
  const submit = async (call: AccountCallOptions, { prompt }: { readonly prompt: string }) => {
    await call.beforeSend?.();
    await call.checkpoint?.("first");
    await s.schedule(Promise.resolve(), `${id} begins to send ${prompt}`);
    await call.checkpoint?.("last");
    service.accepted.push(prompt);
    await s.schedule(Promise.resolve(), `${id} hears of ${prompt}`);
    return {
      id: `${prompt} ${service.accepted.length}`,
      cost: 1,
      remaining: 9,
      status: "submitted",
      raw: {},
    };
  };
  const account: Partial<Account> = {
    tellsBalance: true,
    numbers: async () => ({ from: 1, to: 2, tokens: 10, totals: null, failed: null }),
    knownNumbers: () => null,
    knownBalance: () => 10,
    balance: async () => 10,
    noteBalance: () => {},
    api: (call = {}) =>
      ({ submit: (_: unknown, request: { prompt: string }) => submit(call, request) }) as unknown as MediaApi,
  };
  const wrong: string[] = [];
  const submitter = new Submitter({
    ledger,
    runners: { lease: { isHeld: () => isHeld }, renew: async () => void (isHeld = true) },
    accounts: { of: async () => account } as unknown as Accounts,
    slots: new Slots({ pauseMs: 1, silentMs: 50 }),
    keys: OWN_KEY_ALONE,
    experience: await Experience.open(database, "sandbox"),
    log: makeLogger({ level: "error", destination: { write: (line) => void wrong.push(line) } }),
    takeLeft: async () => {},
    refusalOf: async () => undefined,
    openMedia: () => Promise.reject(new Error("There are no files.")),
    scratch: temporaryFolder(),
  });
  return { ledger, submitter, wrong, fallSilent: () => void (isHeld = false) };
}

it("two nodes, one of which is taken over at any moment, send each job once, whatever happens first", async () => {
  await assert(
    asyncProperty(
      scheduler(),
      integer({ min: 1, max: 3 }),
      integer({ min: 1, max: 2 }),
      async (s, people, kinds) => {
        const database = await testDatabase(join(temporaryFolder(), "reelay.db"), async () => {});
        const service: Service = { accepted: [], confused: [] };
        const sleeper = await node("sleeper", database, s, service);
        const heir = await node("heir", database, s, service);
        const look = new Ledger(database, "look");
        const asked: Job[] = [];
        for (let nth = 0; nth < people; nth += 1)
          asked.push(
            await sleeper.ledger.add(
              // Of the same kind, they look the same from outside.
              aRequest({
                operation: "image",
                values: { ...values, prompt: `p${nth}` },
                user: `web:${nth}`,
                fingerprint: `f${nth % kinds}`,
              }),
              Date.now(),
            ),
          );
        await sleeper.submitter.start();
        await heir.submitter.start();
        const takeover = async () => {
          await s.schedule(Promise.resolve(), "the sleeper stands still");
          sleeper.fallSilent();
          await s.schedule(Promise.resolve(), "the heir takes over");
          await heir.ledger.adopt(["sleeper"], ["web"]);
          // So long after its intent a submission's last byte has left, or never will.
          vi.advanceTimersByTime(RELEASE_MS);
          for (const [nth, { id }] of asked.entries()) {
            await s.schedule(Promise.resolve(), "the heir judges");
            const job = await look.find(id);
            if (job?.state === "unsure" && !service.accepted.includes(`p${nth}`))
              await heir.ledger.settle(job, { type: "absent" });
          }
        };
        const states = async () => Promise.all(asked.map(async ({ id }) => (await look.find(id))?.state));
        const settled = async () => {
          await takeover();
          // What was accepted and is in doubt stays so: nobody looks for it here. It keeps those back that look like it.
          for (;;) {
            const now = await states();
            const doubted = new Set(now.flatMap((state, nth) => (state === "unsure" ? [nth % kinds] : [])));
            if (
              now.every((state, nth) => state === "running" || state === "unsure" || doubted.has(nth % kinds))
            )
              return now;
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        const found = await s.waitFor(settled());
        const stopped = Promise.all([sleeper.submitter.stop(), heir.submitter.stop()]);
        await s.waitFor(stopped);
        // Who was taken over is refused what they still write.
        const wrong = [...sleeper.wrong, ...heir.wrong];
        expect(wrong.filter((line) => !line.includes("the job has changed meanwhile"))).toEqual([]);
        // Nothing left twice, and what left is known to be out, or in doubt.
        expect(service.accepted).toEqual([...new Set(service.accepted)]);
        expect(service.confused).toEqual([]);
        const wrongly = found.filter((state, nth) => {
          const left = service.accepted.includes(`p${nth}`);
          return left ? state !== "running" && state !== "unsure" : state === "running";
        });
        expect(wrongly).toEqual([]);
        await database.close();
      },
    ),
    { numRuns: RUNS },
  );
});
