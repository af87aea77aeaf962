import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/support/patience.ts";

/**
 * Most of what a test file costs is starting a process and compiling the program, so that these share their workers: the chats and the
 * command line, but for what starts processes or talks by a library with something of its own for the whole process.
 */
const CHATS = [
  "test/adapters/{cli,discord,kit,telegram}/**/!(album|crash|fake*|gateway*|load|resilience|sequence|sharding|throttler).test.ts",
];

/**
 * Tests that change what all tests of a process share run apart: modules in another's place, the clock (a library's timers stand still with it), the environment,
 * other processes, memory.
 */
const EVERYBODYS =
  /\bvi\.(?:mock|doMock|resetModules|getTimerCount|useFakeTimers|stubEnv|stubGlobal|spyOn)\(|child_process|worker_threads|startPostgres|\bprocess\.(?:env|on|chdir|kill)\b|\bmaxRSS\b|\bmemoryUsage\b|statement-meter/;

const root = fileURLToPath(new URL(".", import.meta.url));

/** These share workers, too, where they leave that alone; none with the chats, whose tests put the clock forward. */
const QUIET = globSync(
  [
    "test/{common,domain,seam}/**/*.test.ts",
    "test/adapters/{http,web}/**/!(load|*browser).test.ts",
    "test/app/{alerts,setup}/**/*.test.ts",
    "test/contract/service/**/*.test.ts",
    "test/infrastructure/{api,net,queue,storage,vault}/**/*.test.ts",
    "test/sandbox/**/*.test.ts",
  ],
  { cwd: root },
).filter((file) => !EVERYBODYS.test(readFileSync(join(root, file), "utf8")));

/** What shares its workers. */
export const TOGETHER = [...CHATS, ...QUIET];

/** Hundreds of small trials of the whole core that mostly wait: more of them at once than of what burns processor time. */
const TRIALS = "test/faults/*.test.ts";

/** What is asked of any database, run once more on PostgreSQL. */
const ON_POSTGRES = [
  "test/domain/alerts/{alerts,watchers/*}.test.ts",
  "test/domain/audit/inputs.test.ts",
  "test/domain/budgets/*.test.ts",
  "test/domain/jobs/{adopt,ledger}.test.ts",
  "test/domain/operators/operator-book.test.ts",
  "test/domain/pool/*.test.ts",
  "test/domain/policy/gate.test.ts",
  "test/domain/usage/*.test.ts",
  "test/domain/webhooks/{job-events,sending}.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "chats", include: CHATS, isolate: false } },
      { extends: true, test: { name: "quiet", include: QUIET, isolate: false } },
      {
        extends: true,
        test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...TOGETHER, TRIALS] },
      },
      { extends: true, test: { name: "faults", include: [TRIALS], maxConcurrency: 12 } },
      {
        extends: true,
        test: { name: "postgres", include: ON_POSTGRES, setupFiles: "test/support/on-postgres.ts" },
      },
    ],
    globalSetup: "test/support/temporary-folders.ts",
    // Half of a test's time is waiting: for processes, browsers, renderings and windows of time. Measured with two
    // processors: 1,349 s with four workers at a time, and 1,001 s with six.
    maxWorkers: 3 * availableParallelism(),
    // A third of a start is compiling, and tests start many processes: workers, and the program itself.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    // Real processes, browsers and renderings: slow on a busy machine, never endless.
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
