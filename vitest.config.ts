import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * What puts something in a module's place, makes modules anew, measures the memory of its process, counts its timers or
 * listens to what is everybody's has one for itself. All others share their workers: most of what a small file costs is
 * starting a process and compiling the program.
 */
export const APART = [
  "test/time.test.ts",
  "test/adapters/http/body/read-request.test.ts",
  "test/adapters/http/jobs/until-ended.test.ts",
  "test/adapters/telegram/{album,sequence,throttler}.test.ts",
  "test/adapters/{discord,http,telegram}/load.test.ts",
  "test/domain/jobs/delivery/delivery.test.ts",
  "test/domain/jobs/launching.test.ts",
  "test/domain/jobs/reconciling/reconcile.test.ts",
  "test/domain/jobs/submission/runners.test.ts",
  "test/domain/operations/described.test.ts",
  "test/domain/policy/looked-at-once.test.ts",
  "test/domain/policy/moderation/endpoint.test.ts",
  "test/domain/policy/words/refused-words.test.ts",
  "test/domain/webhooks/{attempt,dispatcher}.test.ts",
  "test/infrastructure/api/upload.test.ts",
  "test/infrastructure/media/decoder/decoder.test.ts",
  "test/infrastructure/media/late-reading.test.ts",
  "test/infrastructure/storage/keeper.test.ts",
  "test/sandbox/bombs.test.ts",
];

/** Hundreds of small trials of the whole core that mostly wait: more of them at once than of what burns processor time. */
const TRIALS = "test/faults/*.test.ts";

/** What is asked of any database, run once more on PostgreSQL. */
const ON_POSTGRES = [
  "test/domain/audit/inputs.test.ts",
  "test/domain/jobs/ledger.test.ts",
  "test/domain/policy/gate.test.ts",
  "test/domain/usage/*.test.ts",
  "test/domain/webhooks/{job-events,sending}.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...APART, TRIALS],
          isolate: false,
        },
      },
      { extends: true, test: { name: "apart", include: APART } },
      { extends: true, test: { name: "trials", include: [TRIALS], maxConcurrency: 12 } },
      {
        extends: true,
        test: { name: "postgres", include: ON_POSTGRES, setupFiles: "test/support/on-postgres.ts" },
      },
    ],
    globalSetup: "test/support/temporary-folders.ts",
    // Half of a test's time is waiting: for processes, browsers, renderings and windows of time. Measured with two
    // processors: 424 s with one worker at a time, as is usual there, and 266 s with four.
    maxWorkers: 2 * availableParallelism(),
    // A third of a start is compiling, and tests start many processes: workers, and the program itself.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    // Real processes, browsers and renderings: slow on a busy machine, never endless.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
