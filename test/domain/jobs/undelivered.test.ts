import { join } from "node:path";
import { expect, it } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { explained } from "../../support/explained.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("finds what is to be told next in an index alone, however many rows with whole requests wait", async () => {
  const path = join(temporaryFolder(), "reelay.db");
  const opened = await openDatabase(path);
  const { database, plans } = explained(opened, path);
  const ledger = new Ledger(database, "one");
  await ledger.nextDelivery(1);
  await ledger.undelivered(1, 5, { jobs: ["a"], users: ["telegram:ann"] });
  const looked = plans.filter((plan) => plan.includes("INDEX jobs_"));
  expect(new Set(looked.map((plan) => plan.slice(0, plan.indexOf(" ("))))).toEqual(
    new Set(["SEARCH jobs USING COVERING INDEX jobs_undelivered"]),
  );
  expect(plans.filter((plan) => plan.startsWith("SCAN"))).toEqual([]);
  await opened.close();
});
