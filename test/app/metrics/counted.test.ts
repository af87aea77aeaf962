import { join } from "node:path";
import { channel } from "node:diagnostics_channel";
import { expect, it } from "vitest";
import { openMetrics } from "../../../src/app/metrics/metrics.ts";
import type { RequestTrace } from "../../../src/infrastructure/queue/request-trace.ts";
import { testDatabase } from "../../support/database.ts";
import { readMetrics } from "../../support/metrics.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("what other processes have counted stands beside what this one has, each with its shard", async () => {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const parts = { database, platforms: () => [], egresses: () => [], budgets: () => ({}) };
  const other = openMetrics(parts);
  const told: RequestTrace = {
    group: "video",
    background: false,
    waitedMs: 0,
    tookMs: 500,
    outcome: "answered",
  };
  channel("reelay:request").publish(told);
  const counted = JSON.parse(JSON.stringify(await other.counted())) as unknown;
  other.close();
  const metrics = openMetrics({
    ...parts,
    others: async () => [
      { shard: "0", counted },
      { shard: "1", counted: undefined },
    ],
  });
  channel("reelay:request").publish(told);
  channel("reelay:request").publish(told);
  const numbers = readMetrics(await metrics.text());
  const labels = 'group="video",outcome="answered",background="false"';
  expect(numbers.get(`reelay_service_requests_total{${labels}}`)).toBe(2);
  expect(numbers.get(`reelay_service_requests_total{${labels},shard="0"}`)).toBe(1);
  expect(numbers.get('reelay_service_request_seconds_count{group="video",shard="0"}')).toBe(1);
  expect(numbers.get("reelay_storage_up")).toBe(1);
  metrics.close();
  await database.close();
});
