import { afterEach, describe, expect, it, vi } from "vitest";
import { LEASE_ACROSS_MACHINES_MS } from "../../../src/domain/jobs/submission/lease.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { currentTime } from "../../../src/common/time.ts";
import { ownIdentity } from "../../../src/domain/jobs/submission/process-identity.ts";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { exclusive } from "../../../src/infrastructure/storage/exclusive.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { aRequest } from "../../support/job.ts";
import { startEngines, twoNodes } from "./engines.ts";

const engines = await startEngines();
afterEach(() => void vi.useRealTimers());

/** A node on a machine of its own. */
const nodeOn = (database: Database, machine: string) =>
  new Runners(database, LEASE_ACROSS_MACHINES_MS, { ...ownIdentity(), boot: machine });

describe.each(engines)("two machines that share a database on $name", (engine) => {
  it("know each other by their silence: gone after six seconds, and nothing is sent after five", async () => {
    const [here, there] = await twoNodes(engine);
    // What the database's clock says is not what decides: it goes on by itself.
    vi.useFakeTimers({ toFake: ["performance"] });
    const [silent, heir] = [nodeOn(here, "a"), nodeOn(there, "b")];
    await silent.renew();
    expect(silent.lease.isHeld()).toBe(true);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(silent.lease.isHeld()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await heir.gone()).toEqual([silent.id]);
    await silent.renew();
    expect(await heir.gone()).toEqual([]);
    await silent.stop();
    expect(await heir.gone()).toEqual([silent.id]);
  });

  it("find what one of them wrote that was struck off while it stood still, and died before it showed itself again", async () => {
    const [here, there] = await twoNodes(engine);
    vi.useFakeTimers({ toFake: ["performance"] });
    const [slept, heir] = [nodeOn(here, "a"), nodeOn(there, "b")];
    await slept.renew();
    await heir.gone();
    vi.advanceTimersByTime(LEASE_ACROSS_MACHINES_MS + 1);
    await heir.forget(await heir.gone());
    await new Ledger(here, slept.id).add(aRequest(), 1);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(LEASE_ACROSS_MACHINES_MS + 1);
    expect(await heir.gone()).toEqual([slept.id]);
    expect(await new Ledger(there, heir.id).adopt([slept.id], ["web"])).toBe(1);
    expect(await heir.gone()).toEqual([]);
  });
});

const [, postgres] = engines;

it.runIf(postgres)(
  "a machine whose clock is not the database's goes by the database's, however often it is set",
  async () => {
    const [database] = postgres ? await twoNodes(postgres) : [];
    if (!database) return;
    const began = Date.now();
    vi.useFakeTimers({ toFake: ["Date", "setInterval"] });
    const node = nodeOn(database, "a");
    await node.start();
    for (const wrong of [600_000, -1_200_000, 600_000]) {
      vi.setSystemTime(Date.now() + wrong);
      await node.renew();
      expect(node.lease.isHeld()).toBe(true);
      expect(currentTime()).toBeGreaterThanOrEqual(began - 1_000);
      expect(currentTime()).toBeLessThan(began + 300_000);
    }
    await node.stop();
  },
);

it.runIf(postgres)(
  "is not waited for that stands still while it takes over, where nothing is to be taken over",
  async () => {
    const [here, there] = postgres ? await twoNodes(postgres) : [];
    if (!here || !there) return;
    const still = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const stands = exclusive(here.kysely, ["adopting"], async () => {
      holding.resolve();
      await still.promise;
    });
    await holding.promise;
    expect(await new Ledger(there, "heir").adopt(["gone"], ["web"])).toBe(0);
    await new Ledger(here, "gone").add(aRequest(), 1);
    const adopting = new Ledger(there, "heir").adopt(["gone"], ["web"]);
    still.resolve();
    await stands;
    expect(await adopting).toBe(1);
  },
);

it.runIf(postgres)("says by this machine's clock when a place in a window is free", async () => {
  const [database] = postgres ? await twoNodes(postgres) : [];
  if (!database) return;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
  const log = new WindowLog(database, 60_000);
  await log.take("video", ["key:a"], 1);
  const taken = await log.take("video", ["key:a"], 1);
  const [freeAt = 0] = taken.slot ? [] : taken.freeAt;
  expect(freeAt - currentTime()).toBeGreaterThan(0);
  expect(freeAt - currentTime()).toBeLessThanOrEqual(60_001);
});
