import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NOBODY } from "../../../src/domain/jobs/adopt.ts";
import type { Job, Transition } from "../../../src/domain/jobs/job.ts";
import { endAtSandbox } from "../../../src/domain/jobs/left-sandbox.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PLAY = "of the sandbox";
const log = makeLogger({ level: "silent" });

const INTENT = { type: "submitting", at: 2, balance: null } as const;
const ACCEPTED = { type: "accepted", at: 3, serviceId: "", cost: 2.7, balance: 10 } as const;
const REFUSED = { type: "held", awaits: "key", until: 9 } as const;
const COMPLETED = { type: "completed", at: 4, result: ["/a.mp4"], cost: 2.7 } as const;

/** Where a job may be when its process ends. */
const STEPS: Readonly<Record<string, readonly Transition[]>> = {
  queued: [],
  submitting: [INTENT],
  unsure: [INTENT, { type: "lost", at: 3 }],
  running: [INTENT, ACCEPTED],
  waiting: [INTENT, ACCEPTED, REFUSED],
};

let database: Database;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});

afterEach(() => database.close());

async function leftBy(runner: string, keyId: string, events: readonly Transition[]): Promise<Job> {
  const ledger = new Ledger(database, runner);
  let job = await ledger.add(aRequest({ keyId, fingerprint: crypto.randomUUID() }), 1);
  for (const event of events)
    job = await ledger.apply(job, event.type === "accepted" ? { ...event, serviceId: job.id } : event);
  return job;
}

async function found({ id }: Job): Promise<Job | undefined> {
  return new Ledger(database, "look").find(id);
}

it.each(Object.entries(STEPS))(
  "what was %s at the sandbox ends, costs nothing and is to be told",
  async (_, events) => {
    const left = await leftBy("dead", PLAY, events);
    await endAtSandbox({ database, log }, PLAY, ["dead"]);
    const error = { code: "sandbox_left", params: {} };
    const next = new Ledger(database, "next");
    expect(await next.adopt([], ["web"])).toBe(1);
    expect(await found(left)).toMatchObject({
      state: "failed",
      error,
      cost: 0,
      delivery: "due",
      awaits: null,
    });
  },
);

it("what is of another key, of a process that works, or done already, stays as it is", async () => {
  const others = [
    await leftBy("dead", "of the service", [INTENT, ACCEPTED]),
    await leftBy("alive", PLAY, [INTENT, ACCEPTED]),
    await leftBy("dead", PLAY, [INTENT, ACCEPTED, COMPLETED]),
    await leftBy(NOBODY, "of the service", []),
  ];
  await endAtSandbox({ database, log }, PLAY, ["dead"]);
  for (const job of others) expect(await found(job)).toMatchObject({ state: job.state, cost: job.cost });
});
