import { expect, it } from "vitest";
import type { ServiceJob } from "../../../../src/infrastructure/api/media-api.ts";
import { backgroundLimit } from "../../../../src/infrastructure/queue/limiter.ts";
import { RATE_LIMITS } from "../../../../src/common/contract.ts";
import { MINUTE_MS, PollerHarness, record } from "./harness.ts";

/** Of a kind that no list shows: each is read by itself. */
const IMAGE = { operation: "image", values: { prompt: "a harbour" } } as const;

const JOBS = 40;
const RATE = backgroundLimit(RATE_LIMITS.status, 0);

/** How often jobs of so many keys are read in a minute, by so many addresses. */
async function readsIn({ egresses, keys }: { egresses: number; keys: number }): Promise<number> {
  await using harness = await PollerHarness.open();
  harness.poller = harness.makePoller(egresses);
  await harness.poller.start();
  for (let nth = 0; nth < JOBS; nth += 1)
    await harness.running(`s-${nth}`, { ...IMAGE, keyId: `key-${nth % keys}` });
  await harness.pass(MINUTE_MS);
  return [...harness.reads.values()].flat().length;
}

it("reads as much again by each address, as long as there are keys for it", async () => {
  const one = await readsIn({ egresses: 1, keys: 2 });
  expect(one).toBeLessThanOrEqual(RATE + JOBS);
  expect(one).toBeGreaterThan(RATE / 2);
  const two = await readsIn({ egresses: 2, keys: 2 });
  expect(two).toBeGreaterThan(1.6 * one);
  expect(two).toBeLessThanOrEqual(2 * RATE + JOBS);
  expect(await readsIn({ egresses: 2, keys: 1 })).toBe(await readsIn({ egresses: 1, keys: 1 }));
});

it("does not let the jobs of a key whose reads wait keep those of others waiting", async () => {
  await using harness = await PollerHarness.open();
  const late = Promise.withResolvers<void>();
  harness.slotFor = (id) => (id.startsWith("slow") ? late.promise : Promise.resolve());
  harness.poller = harness.makePoller(2);
  await harness.poller.start();
  for (let nth = 0; nth < 12; nth += 1) await harness.running(`slow-${nth}`, { ...IMAGE, keyId: "slow" });
  await harness.running("quick-1", { ...IMAGE, keyId: "quick" });
  await harness.pass(2 * MINUTE_MS);
  expect([...harness.reads.keys()].filter((id) => id.startsWith("slow"))).toHaveLength(4);
  expect(harness.reads.get("quick-1")?.length).toBeGreaterThan(2);
  late.resolve();
});

it("uses as much of the rate where an answer takes ten seconds, and asks nothing more of a service that says nothing", async () => {
  const quick = await readsIn({ egresses: 1, keys: 20 });
  await using harness = await PollerHarness.open();
  harness.read = async (id) => {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    return record(id);
  };
  await harness.poller.start();
  for (let nth = 0; nth < JOBS; nth += 1)
    await harness.running(`s-${nth}`, { ...IMAGE, keyId: `key-${nth % 20}` });
  await harness.pass(MINUTE_MS);
  const reads = () => [...harness.reads.values()].flat().length;
  const slow = reads();
  const never = Promise.withResolvers<ServiceJob>();
  harness.read = () => never.promise;
  await harness.pass(MINUTE_MS);
  const asked = reads();
  await harness.pass(10 * MINUTE_MS);
  const later = reads();
  // The poller waits for it, should something of this fail.
  never.resolve(record("s-0"));
  expect(slow).toBeGreaterThan(quick / 2);
  expect(later).toBe(asked);
});
