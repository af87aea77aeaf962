import { expect, it } from "vitest";
import { currentTime } from "../../src/common/time.ts";
import { newId } from "../../src/domain/jobs/requests.ts";
import { toRow } from "../../src/domain/jobs/row.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { testCore } from "../support/core.ts";
import { aJob } from "../support/job.ts";
import { testSandbox } from "../support/sandbox.ts";
import { MemorySurface, person } from "../support/surface.ts";

/** So many are not erased without a word before. */
const MANY = 200;

it("an erasure that is left behind at a stop is no failure: the log has nothing of what it fails of", async () => {
  await using sandbox = await testSandbox();
  const surface = new MemorySurface();
  const [begun, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  surface.beforePost = async () => {
    begun.resolve();
    await left.promise;
  };
  const lines: string[] = [];
  const log = makeLogger({ level: "error", destination: { write: (line) => void lines.push(line) } });
  const core = await testCore(sandbox, { surface, log });
  const rows = Array.from({ length: MANY }, (_, nth) => {
    const ended = { user: person("ann").user, state: "failed", delivery: "delivered" } as const;
    const job = aJob({ ...ended, id: newId(nth), fingerprint: String(nth) });
    return { ...toRow(job), runner: "gone" };
  });
  await core.database.kysely.insertInto("jobs").values(rows).execute();
  const erasing = surface.intake.act(person("ann"), `forget-now:${currentTime() + 60_000}-0`);
  await begun.promise;
  await core[Symbol.asyncDispose]();
  left.resolve();
  await erasing;
  expect(lines).toEqual([]);
});
