import { expect, it } from "vitest";
import { readinessOf } from "../../src/app/readiness.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { sql } from "kysely";
import { join } from "node:path";
import { temporaryFolder } from "../support/sandbox.ts";

const down = () =>
  Promise.reject(new ReelayError("storage_down", { reason: "a name that nobody is to see" }));

/** What is asked, and how often. */
function harness() {
  const asked = { database: 0, files: 0 };
  const state = {
    database: true,
    files: true,
    current: true,
    telegram: true,
    silentSince: undefined as number | undefined,
  };
  const clock = { now: 0 };
  const readiness = readinessOf({
    database: {
      check: () => ((asked.database += 1), state.database ? Promise.resolve() : down()),
      fits: async () => state.current,
    },
    files: { check: () => ((asked.files += 1), state.files ? Promise.resolve() : down()) },
    platforms: () => [{ name: "telegram", ready: () => state.telegram }],
    silentSince: () => state.silentSince,
    now: () => clock.now,
  });
  const missing = async () => (await readiness()).filter(({ ok }) => !ok);
  return { asked, state, readiness, missing, clock };
}

it("everything that Reelay stands on is there", async () => {
  const { readiness } = harness();
  expect((await readiness()).map(({ name, ok }) => [name, ok])).toEqual([
    ["storage", true],
    ["migrations", true],
    ["files", true],
    ["telegram", true],
    ["service", true],
  ]);
});

it.each([
  ["storage", { database: false }, {}],
  ["files", { files: false }, {}],
  ["telegram", { telegram: false }, {}],
  ["service", { silentSince: 1 }, { optional: true }],
  ["migrations", { current: false }, {}],
] as const)("what is missing is named, and nothing of why: %s", async (name, change, more) => {
  const { state, missing } = harness();
  Object.assign(state, change);
  expect(await missing()).toEqual([{ name, ok: false, ...more }]);
});

it("however often it is asked, it looks once a second", async () => {
  const { asked, readiness, clock } = harness();
  for (let count = 0; count < 20; count += 1) await readiness();
  await Promise.all(Array.from({ length: 20 }, () => readiness()));
  expect(asked).toEqual({ database: 1, files: 1 });
  clock.now += 1_001;
  await readiness();
  expect(asked).toEqual({ database: 2, files: 2 });
});

it("a place that does not answer is missing, without holding the answer up for long", async () => {
  let asked = 0;
  const readiness = readinessOf({
    database: { check: async () => {}, fits: async () => true },
    files: { check: () => ((asked += 1), new Promise(() => {})) },
    platforms: () => [],
    silentSince: () => undefined,
  });
  const files = (await readiness()).find(({ name }) => name === "files");
  await readiness();
  expect([files?.ok, asked]).toEqual([false, 1]);
});

it("a database that a newer version has migrated meanwhile does not fit", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  expect(await database.fits()).toBe(true);
  await sql`pragma user_version = 10000`.execute(database.kysely);
  expect(await database.fits()).toBe(false);
  await database.close();
});
