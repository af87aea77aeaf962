import { expect, it } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { UnchargedJobs } from "../../../src/domain/policy/uncharged.ts";
import { UsageCounter } from "../../../src/domain/policy/usage-counter.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../support/failing-folder.ts";
import { aRequest } from "../../support/job.ts";

it.each(FOLDER_FAULTS)(
  "what came to nothing counts under no cap, although that could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    const database = await folder.open();
    const ledger = new Ledger(database, "me");
    const usage = new UsageCounter(database);
    // Hears of the end first.
    ledger.onChange(({ job }) => {
      if (job.state === "cancelled") void folder.fail();
    });
    const uncharged = new UnchargedJobs({ ledger, usage, log: makeLogger({ level: "silent" }) });
    await uncharged.start();
    const cap = { by: "web:me", period: "month", max: 9 } as const;
    const add = () =>
      ledger.add(aRequest(), Date.now(), async ({ kysely }, { id }) => {
        await new UsageCounter({ kysely }).begin([cap], id);
      });
    await add();
    const job = await add();
    await ledger.apply(job, { type: "cancelled", at: Date.now() });
    await folder.mendOnceWaitedFor(uncharged.stop());
    expect(await usage.count(cap)).toBe(1);
  },
);
