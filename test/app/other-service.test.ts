import { beforeAll, expect, it } from "vitest";
import type { MediaRef } from "../../src/seam/values.ts";
import { testCore } from "../support/core.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { person, testPhoto } from "../support/surface.ts";

let photo: MediaRef;

beforeAll(async () => void (photo = await testPhoto()));

const zoom = () => ({ image: photo, prompt: "slow zoom" });

const OPEN = { REELAY_OPERATOR_KEY_FOR: "all" };

/** Makes so many videos. @returns the last result */
async function makeAt(data: string, source: "sandbox" | "operator", count: number) {
  await using service = await testSandbox();
  await using core = await testCore(service, { data, source, settings: OPEN });
  for (let nth = 1; nth <= count; nth++) {
    await core.surface.intake.command(person("ann"), "video", zoom());
    await core.surface.results(nth);
  }
  const [last] = (await core.surface.results(count)).slice(-1);
  if (!last) throw new Error("There is no result.");
  return last;
}

/** What is said of the price of the next one, where the account's past jobs tell nothing. */
async function priceAt(data: string, source: "sandbox" | "operator") {
  await using service = await testSandbox();
  await service.fault({ kind: "500", match: { method: "GET", path: "/api/jobs" }, times: 1_000 });
  await using core = await testCore(service, { data, source, settings: OPEN });
  const { tokens, basis, range } = await core.surface.intake.quote(person("ann"), "video", zoom());
  return { tokens, basis, range };
}

it("what the sandbox took for it is said to be the price there, and at no other service", async () => {
  const data = temporaryFolder();
  // As many as tell what such a job costs in this house.
  await makeAt(data, "sandbox", 3);
  const there = await priceAt(data, "sandbox");
  expect(there).toMatchObject({ basis: "learned", tokens: expect.any(Number) });
  expect(await priceAt(data, "operator")).toEqual({ tokens: null, basis: "unknown" });
  await makeAt(data, "operator", 1);
  expect(await priceAt(data, "operator")).toMatchObject({ basis: "unknown" });
  expect(await priceAt(data, "sandbox")).toEqual(there);
});

it("nothing begins at another service for the price that the sandbox's button says, and it is offered without one", async () => {
  const data = temporaryFolder();
  const { cost, job } = await makeAt(data, "sandbox", 1);
  await using service = await testSandbox();
  await service.fault({ kind: "500", match: { method: "GET", path: "/api/jobs" }, times: 1_000 });
  await using core = await testCore(service, { data, source: "operator", settings: OPEN });
  const { messages, intake } = core.surface;
  await intake.act(person("ann"), `again:${job.id}@${cost}`);
  const refused = messages.at(-1)?.views.at(-1);
  expect(refused).toMatchObject({ kind: "problem", problem: { code: "price_unknown" }, charged: 0 });
  expect((await service.ledger()).submissions).toEqual([]);
  const [offered] = (refused?.kind === "problem" && refused.actions) || [];
  expect(offered?.token).toBe(`again:${job.id}`);
  await intake.act(person("ann"), offered?.token ?? "");
  await core.surface.results(1);
  expect((await service.ledger()).submissions).toHaveLength(1);
});
