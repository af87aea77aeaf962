import { join } from "node:path";
import { expect, it } from "vitest";
import { Experience } from "../../../src/domain/jobs/experience.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

async function learned(...ends: readonly (readonly [number, number])[]) {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const experience = await Experience.open(database);
  for (const [least, most] of ends) await experience.tookBetween("vid3", "5 s", least, most);
  const usual = experience.usualMs("vid3", "5 s") ?? 0;
  const soonest = experience.soonestMs("vid3", "5 s") ?? 0;
  await database.close();
  return { usual, soonest };
}

it("expects a job between the times that it is known to have ended between", async () => {
  const { usual, soonest } = await learned([40, 60], [40, 60], [40, 60]);
  expect(usual).toBeGreaterThanOrEqual(40);
  expect(usual).toBeLessThanOrEqual(60);
  expect(soonest).toBeGreaterThan(30);
});

it("is not taught by reading late that jobs take long", async () => {
  const late = Array.from({ length: 50 }, (_, nth) => [45, 100 + nth * 50] as const);
  expect((await learned([40, 60], ...late)).usual).toBeLessThan(60);
});

it("notices that jobs have become slower, and that they have become faster", async () => {
  const slower = Array.from({ length: 30 }, () => [200, 210] as const);
  expect((await learned([40, 60], ...slower)).usual).toBeGreaterThan(190);
  const faster = Array.from({ length: 60 }, () => [0, 20] as const);
  expect((await learned([200, 210], ...faster)).usual).toBeLessThan(40);
  const unseen = Array.from({ length: 200 }, () => [0, 500] as const);
  expect((await learned([200, 210], ...unseen)).usual).toBeLessThan(150);
});

it("expects that a job may end as soon as it is accepted, where such jobs have", async () => {
  expect(await learned([0, 0])).toEqual({ usual: 0, soonest: 0 });
});

/** When such a job is expected at the soonest and usually, and what it costs. */
const known = (by: Experience) => [
  by.soonestMs("vid3", "5 s"),
  by.usualMs("vid3", "5 s"),
  by.price("vid3", "5 s"),
];

it("expects the mean and what jobs are apart from it, and is the same for the next process", async () => {
  const path = join(temporaryFolder(), "reelay.db");
  const database = await openDatabase(path);
  const experience = await Experience.open(database);
  expect([experience.usualMs("vid3", "5 s"), experience.price("vid3", "5 s")]).toEqual([undefined, null]);
  await experience.took("vid3", "5 s", 100);
  await experience.took("vid3", "5 s", 200);
  await experience.charged("vid3", "5 s", 4);
  expect(known(experience)).toEqual([50, 200, 4]);
  await database.close();
  const again = await openDatabase(path);
  const later = await Experience.open(again);
  expect(known(later)).toEqual([50, 200, 4]);
  // The fifth that a new one counts at the least is for those that follow many.
  await later.took("vid3", "5 s", 150);
  expect(later.usualMs("vid3", "5 s")).toBeCloseTo(150 + 100 / 3);
  await again.close();
});
