import { join } from "node:path";
import { expect, it } from "vitest";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

async function learned(...ends: readonly (readonly [number, number])[]) {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const experience = await Experience.open(database, "sandbox");
  for (const [least, most] of ends) await experience.tookBetween("vid3", "5 s", least, most);
  const { usualMs: usual = 0, soonestMs: soonest = 0 } = experience.durations("vid3", "5 s") ?? {};
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

it("expects what jobs took lately, and the next process what they took on the whole", async () => {
  const path = join(temporaryFolder(), "reelay.db");
  const database = await openDatabase(path);
  const experience = await Experience.open(database, "sandbox");
  expect([experience.durations("vid3", "5 s"), experience.price("vid3", "5 s")]).toEqual([undefined, null]);
  await experience.took("vid3", "5 s", 100);
  await experience.took("vid3", "5 s", 200);
  await experience.charged("vid3", "5 s", 4);
  await experience.charged("vid3", "10 s", 8);
  expect([(await Experience.open(database, "sandbox")).price("vid3", "10 s")], "at once").toEqual([8]);
  await experience.save();
  expect(experience.durations("vid3", "5 s")).toMatchObject({ soonestMs: 100, usualMs: 175, meanMs: 150 });
  await database.close();
  const again = await openDatabase(path);
  const later = await Experience.open(again, "sandbox");
  expect([later.price("vid3", "5 s"), later.price("vid3", "10 s")]).toEqual([4, 8]);
  expect(later.durations("vid3", "5 s")).toMatchObject({ meanMs: 150, count: 2 });
  await later.took("vid3", "5 s", 150);
  expect(later.durations("vid3", "5 s")).toMatchObject({ meanMs: 150, count: 3 });
  await again.close();
});

it("knows what the dearest of all cost last time", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const experience = await Experience.open(database, "sandbox");
  expect(experience.dearest()).toBe(0);
  await experience.charged("image", "1024", 2);
  await experience.charged("video", "8 s", 40);
  await experience.took("video", "3 s", 5);
  expect(experience.dearest()).toBe(40);
  await experience.charged("video", "8 s", 4);
  expect(experience.dearest()).toBe(4);
  await database.close();
});

it("is each service's own", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const play = await Experience.open(database, "sandbox");
  await play.charged("video", "8 s", 4);
  await play.took("video", "8 s", 100);
  const [one, other] = ["https://one.test", "https://other.test"];
  const paid = await Experience.open(database, one);
  expect([paid.price("video", "8 s"), paid.durations("video", "8 s")]).toEqual([null, undefined]);
  await paid.charged("video", "8 s", 40);
  expect((await Experience.open(database, one)).price("video", "8 s")).toBe(40);
  expect((await Experience.open(database, other)).dearest()).toBe(0);
  expect((await Experience.open(database, "sandbox")).dearest()).toBe(4);
  await database.close();
});

it("that an earlier version learned of the service that is in use stays, unless the sandbox may have taught it", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const learnedBefore = async () => {
    const kind = { operation: "video", size: "8 s", price: 4, mean_ms: null, spread_ms: 0, count: 0 };
    await database.kysely
      .insertInto("lessons")
      .values({ service: "", ...kind })
      .execute();
  };
  await learnedBefore();
  expect((await Experience.open(database, "https://one.test", true)).dearest()).toBe(0);
  await learnedBefore();
  for (let nth = 0; nth < 2; nth++)
    expect((await Experience.open(database, "https://one.test")).dearest()).toBe(4);
  expect((await Experience.open(database, "sandbox")).dearest()).toBe(0);
  await database.close();
});
