import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Most of what each costs is starting a process and compiling the program, so they share their workers. What starts processes,
 * talks by a library with something of its own for the whole process, counts timers or puts something in a module's place is apart.
 */
export const TOGETHER = [
  "test/adapters/{cli,discord,kit,telegram}/**/!(album|crash|fake*|gateway*|load|resilience|sequence|sharding|throttler).test.ts",
];

/** Hundreds of small trials of the whole core that mostly wait: more of them at once than of what burns processor time. */
const TRIALS = "test/faults/*.test.ts";

/** What is asked of any database, run once more on PostgreSQL. */
const ON_POSTGRES = [
  "test/domain/alerts/{alerts,watchers/*}.test.ts",
  "test/domain/audit/inputs.test.ts",
  "test/domain/budgets/*.test.ts",
  "test/domain/jobs/ledger.test.ts",
  "test/domain/operators/operator-book.test.ts",
  "test/domain/pool/*.test.ts",
  "test/domain/policy/gate.test.ts",
  "test/domain/usage/*.test.ts",
  "test/domain/webhooks/{job-events,sending}.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "together", include: TOGETHER, isolate: false } },
      {
        extends: true,
        test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...TOGETHER, TRIALS] },
      },
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
