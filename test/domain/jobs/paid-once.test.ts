import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { MediaRef } from "../../../src/seam/values.ts";
import { type TestCore, testCore, TIME_SCALE } from "../../support/core.ts";
import { type Liberties, looseService } from "../../support/loose-service.ts";
import { temporaryFolder, testPicture } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const HOUR_MS = 3_600_000;
const ann = person("ann");
/** So long that a service which trims prompts trims it. */
const prompt = "slow zoom on the lighthouse while the waves come in and the light turns";
let photo: MediaRef;

beforeAll(async () => {
  photo = { surface: "web", id: join(temporaryFolder(), "photo.jpg") };
  await writeFile(photo.id, Buffer.from(await testPicture(), "base64"));
});

const make = ({ surface }: TestCore, words: string) =>
  surface.intake.command(ann, "video", { image: photo, prompt: words });

const jobsOf = ({ database }: TestCore) =>
  database.kysely.selectFrom("jobs").selectAll().orderBy("id").execute();

/** Waits until no submission is in doubt. */
async function settled(core: TestCore): Promise<void> {
  for (;;) {
    const states = (await jobsOf(core)).map(({ state }) => state);
    if (states.every((state) => state === "running" || state === "failed")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Has one video made that is known, so that the service's clock can be measured. */
async function withOneMade(core: TestCore): Promise<void> {
  await make(core, "an earlier one");
  await settled(core);
}

/** Milliseconds of the service, as short as the tests' time. */
const scaled = (seconds: number) => seconds * 1_000 * TIME_SCALE;

describe.concurrent("an answer that is lost", () => {
  const liberties: [string, Liberties][] = [
    ["timestamps are five hours behind UTC", { zoneMs: -5 * HOUR_MS }],
    ["timestamps are nine and a half hours before it", { zoneMs: 9.5 * HOUR_MS }],
    ["settings do not show the prompt", { promptShown: () => null }],
    ["settings show the beginning of the prompt", { promptShown: (words) => words.slice(0, 20) }],
    ["settings show it with dots at its end", { promptShown: (words) => `${words.slice(0, 20)}...` }],
    ["list shows a new job 90 s late", { listedAfterMs: scaled(90) }],
    ["list shows a new job 3 min late", { listedAfterMs: scaled(180) }],
    ["door accepts the POST 35 s later", { lostAcceptedAfterMs: scaled(35) }],
    ["door accepts the POST 100 s later", { lostAcceptedAfterMs: scaled(100) }],
    [
      "ways are all of these",
      {
        zoneMs: -5 * HOUR_MS,
        promptShown: (words) => words.slice(0, 20),
        listedAfterMs: scaled(60),
        lostAcceptedAfterMs: scaled(35),
      },
    ],
  ];
  it.each(liberties)("is charged once and found where the service's %s", async (_name, liberty) => {
    await using service = await looseService(liberty);
    await using core = await testCore(service);
    await withOneMade(core);
    service.loseNext();
    await make(core, prompt);
    await settled(core);
    const [, job] = await jobsOf(core);
    const ours = service.accepted().filter((one) => one.prompt === prompt);
    expect(ours).toHaveLength(1);
    expect(job).toMatchObject({ state: "running", service_id: ours[0]?.id, cost: service.price });
    expect(job?.balance).toBeCloseTo(1_000 - service.spent());
    expect(job?.accepted_at).toBeLessThanOrEqual(Date.now());
    expect(job?.accepted_at).toBeGreaterThanOrEqual(job?.submitted_at ?? Infinity);
  });

  it("is found on the first day, before the clock could be measured: only one job is new", async () => {
    await using service = await looseService({ zoneMs: -5 * HOUR_MS });
    await using core = await testCore(service);
    service.loseNext();
    await make(core, prompt);
    await settled(core);
    expect(service.accepted()).toHaveLength(1);
    expect((await jobsOf(core))[0]).toMatchObject({
      state: "running",
      service_id: service.accepted()[0]?.id,
    });
  });

  it("is found, too, where records do not say when they were made: it is the only one", async () => {
    await using service = await looseService({ stamped: false, hasPast: false });
    await using core = await testCore(service);
    service.loseNext();
    await make(core, prompt);
    await settled(core);
    const [job] = await jobsOf(core);
    expect(job).toMatchObject({ state: "running", service_id: service.accepted()[0]?.id });
    expect(job?.accepted_at).toBeLessThanOrEqual(Date.now());
    expect(job?.accepted_at).toBeGreaterThanOrEqual(job?.lost_at ?? Infinity);
  });

  it("is sent again, once, where it is proven that it was not accepted", async () => {
    await using service = await looseService({ zoneMs: -5 * HOUR_MS, lostAcceptedAfterMs: null });
    await using core = await testCore(service);
    await withOneMade(core);
    service.loseNext();
    await make(core, prompt);
    await settled(core);
    expect(service.accepted().map((one) => one.prompt)).toEqual(["an earlier one", prompt]);
    expect((await jobsOf(core))[1]).toMatchObject({
      state: "running",
      service_id: service.accepted()[1]?.id,
    });
  });

  it("of what the list never shows is told with what it cost, and never sent again", async () => {
    await using service = await looseService({ listedAfterMs: 2 * HOUR_MS });
    await using core = await testCore(service);
    await withOneMade(core);
    service.loseNext();
    await make(core, prompt);
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(service.accepted()).toHaveLength(2);
    expect(core.surface.showing("problem")[0]).toMatchObject({
      problem: { code: "lost_charged", params: { tokens: service.price } },
      charged: service.price,
    });
  });

  it("never takes what somebody made elsewhere, and is told as unknown where that hides it", async () => {
    await using service = await looseService({ lostAcceptedAfterMs: null, promptShown: () => null });
    await using core = await testCore(service);
    await withOneMade(core);
    service.makeElsewhere("somebody else's");
    service.makeElsewhere("somebody else's second");
    service.loseNext();
    await make(core, prompt);
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(service.accepted().filter((one) => one.prompt === prompt)).toEqual([]);
    expect((await jobsOf(core))[1]).toMatchObject({ state: "failed", service_id: null });
    expect(core.surface.showing("problem")[0]?.problem.code).toMatch(/^lost_/);
  });
});

it("what is left follows from every charge, though no answer says it", async () => {
  await using service = await looseService({ tellsRemaining: false });
  await using core = await testCore(service);
  for (const words of ["one", "two", "three"]) {
    await make(core, words);
    await settled(core);
  }
  const balances = (await jobsOf(core)).map(({ balance }) => balance);
  expect(balances.map((balance) => Math.round((balance ?? 0) * 10) / 10)).toEqual([997.3, 994.6, 991.9]);
});
