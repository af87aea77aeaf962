import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NOBODY } from "../../../../src/domain/jobs/adopt.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { OwnJobs } from "../../../../src/domain/jobs/submission/own-jobs.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const LEASE_MS = 6_000;

let database: Database;
let [isAdopting, gone]: [boolean, string[]] = [false, []];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  [isAdopting, gone] = [false, []];
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

/** A call's ledger, which takes back what is its own. */
function aCall(runner = "call") {
  const ledger = new Ledger(database, runner);
  const own = new OwnJobs({
    ledger,
    runners: { gone: async () => gone, lease: { ms: LEASE_MS } as never },
    surfaces: ["cli"],
    isAdopting: () => isAdopting,
    log: makeLogger({ level: "silent" }),
  });
  own.start();
  return { ledger, own };
}

const request = aRequest({ surface: "cli" });

/** Has others see to a job at the service while the call stands still. */
async function seenTo(job: Job): Promise<Ledger> {
  const other = new Ledger(database, "other");
  await other.takeFromService(["call"], []);
  const unsure = await other.find(job.id);
  if (!unsure) throw new Error("It is there.");
  await other.apply(unsure, { type: "absent" });
  return other;
}

const submitting = async (ledger: Ledger) =>
  ledger.apply(await ledger.add(request, 1), { type: "submitting", at: 1, balance: null });

it("takes back what others saw to and left to nobody, its own alone", async () => {
  const { ledger, own } = aCall();
  const job = await submitting(ledger);
  await seenTo(job);
  const another = await new Ledger(database, NOBODY).add({ ...request, fingerprint: "b" }, 2);
  expect(await ledger.isMine(job.id)).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  await vi.waitFor(async () => expect(await ledger.isMine(job.id)).toBe(true), PATIENCE_MS);
  expect(await ledger.isMine(another.id)).toBe(false);
  await own.stop();
});

it("takes back what others had when they died", async () => {
  const { ledger, own } = aCall();
  const job = await submitting(ledger);
  await new Ledger(database, "other").takeFromService(["call"], []);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(await ledger.isMine(job.id)).toBe(false);
  gone = ["other"];
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  await vi.waitFor(async () => expect(await ledger.isMine(job.id)).toBe(true), PATIENCE_MS);
  await own.stop();
});

it("leaves all that to a process that takes over whatever nobody works on", async () => {
  isAdopting = true;
  const { ledger, own } = aCall();
  const job = await submitting(ledger);
  await seenTo(job);
  await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
  expect(await ledger.isMine(job.id)).toBe(false);
  await own.stop();
});
