import { join } from "node:path";
import { expect, it } from "vitest";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { examineJobs } from "../../../../src/domain/jobs/submission/doctor.ts";
import { LEASE_MS } from "../../../../src/domain/jobs/submission/lease.ts";
import { ownIdentity } from "../../../../src/domain/jobs/submission/process-identity.ts";
import { Runners } from "../../../../src/domain/jobs/submission/runners.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

it("counts jobs that are open where no process is there to go on with them, and says what to do", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  // One of the same number would be one that lived before.
  const server = new Runners(database, LEASE_MS, { ...ownIdentity(), pid: process.ppid, started: null });
  const found = () => examineJobs(database, 60_000);
  expect(await found()).toEqual([]);
  await server.start();
  const ledger = new Ledger(database, server.id);
  const jobs = [await ledger.add(aRequest(), 1), await ledger.add(aRequest({ fingerprint: "b" }), 2)];
  expect(await found()).toEqual([]);
  await server.stop();
  const advice = expect.stringMatching(/Start Reelay.*reelay resume/);
  expect(await found()).toEqual([
    { name: "jobs", ok: false, found: "open, and nobody works on them: 2", advice },
  ]);
  for (const job of jobs) {
    const gone = await ledger.apply(job, { type: "cancelled", at: 3 });
    await ledger.apply(await ledger.apply(gone, { type: "delivering" }), { type: "delivered", at: 4 });
  }
  expect(await found()).toEqual([]);
  await database.close();
});
