import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lease, LEASE_MS, leaseFor } from "../../../../src/domain/jobs/submission/lease.ts";
import { NOBODY } from "../../../../src/domain/jobs/adopt.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import {
  ownIdentity,
  type ProcessIdentity,
} from "../../../../src/domain/jobs/submission/process-identity.ts";
import { Runners } from "../../../../src/domain/jobs/submission/runners.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const HERE: ProcessIdentity = { ...ownIdentity(), boot: "boot", pidNamespace: "pid:[1]" };
const PARENT: ProcessIdentity = { ...HERE, pid: process.ppid, started: null };
const CONTAINER: ProcessIdentity = { ...HERE, pidNamespace: "pid:[2]" };

let database: Database;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const runner = (identity?: ProcessIdentity) => new Runners(database, LEASE_MS, identity);

describe("the processes of a data folder", () => {
  it("are known as long as they live, and struck off when they left nothing open", async () => {
    const [living, tidy, untidy, heir] = [runner(PARENT), runner(HERE), runner(HERE), runner(HERE)];
    for (const one of [living, tidy, untidy, heir]) await one.start();
    const left = await new Ledger(database, untidy.id).add(aRequest(), 1);
    await tidy.stop();

    // The same process number under another id is one that lived before; a parent's is another that lives.
    expect(new Set(await heir.gone())).toEqual(new Set([tidy.id, untidy.id]));
    await heir.forget(await heir.gone());
    expect(await heir.gone()).toEqual([untidy.id]);
    const ledger = new Ledger(database, heir.id);
    expect(await ledger.adopt(await heir.gone(), ["web"])).toBe(1);
    await heir.forget(await heir.gone());
    expect(await heir.gone()).toEqual([]);
    expect((await ledger.inState("queued")).map(({ id }) => id)).toEqual([left.id]);
    for (const one of [living, untidy, heir]) await one.stop();
  });

  it("are found through their jobs where they were struck off while they stood still, wrote one, and died", async () => {
    vi.useFakeTimers();
    const [slept, heir] = [runner(CONTAINER), runner(HERE)];
    await slept.renew();
    await heir.gone();
    vi.advanceTimersByTime(LEASE_MS + 1);
    await heir.forget(await heir.gone());
    const left = await new Ledger(database, slept.id).add(aRequest(), 1);
    // For as long as a lease it may be about to show itself.
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await heir.gone()).toEqual([slept.id]);
    const ledger = new Ledger(database, heir.id);
    expect(await ledger.adopt(await heir.gone(), ["web"])).toBe(1);
    expect((await ledger.inState("queued")).map(({ id }) => id)).toEqual([left.id]);
    expect(await heir.gone()).toEqual([]);
  });

  it("are not found through their jobs while they show themselves, nor is nobody", async () => {
    vi.useFakeTimers();
    const [slept, heir] = [runner(CONTAINER), runner(HERE)];
    await new Ledger(database, slept.id).add(aRequest(), 1);
    await new Ledger(database, NOBODY).add(aRequest(), 2);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS + 1);
    await slept.renew();
    expect(await heir.gone()).toEqual([]);
    expect(await heir.living()).toEqual([slept.id]);
  });

  it("are not struck off that showed themselves after they were found to be gone", async () => {
    vi.useFakeTimers();
    const [silent, heir] = [runner(CONTAINER), runner(HERE)];
    await silent.renew();
    await heir.gone();
    vi.advanceTimersByTime(LEASE_MS + 1);
    const gone = await heir.gone();
    expect(gone).toEqual([silent.id]);
    await silent.renew();
    await heir.forget(gone);
    expect(await heir.living()).toEqual([silent.id]);
  });

  it("are gone when their number was given to another", async () => {
    const [before, heir] = [runner({ ...PARENT, started: "1" }), runner(HERE)];
    await before.start();
    // Where the system does not say when a process began, its number is all there is.
    expect(await heir.gone()).toEqual(HERE.started === null ? [] : [before.id]);
    await before.stop();
  });

  it.each([
    ["another container", CONTAINER],
    ["another start of the machine", { ...HERE, boot: "earlier" }],
    ["a system that names neither", { ...PARENT, boot: null, pidNamespace: null }],
  ])("of %s are judged by their signs of life alone", async (_name, identity) => {
    vi.useFakeTimers();
    const [other, heir] = [runner(identity), runner(HERE)];
    await other.start();
    for (let past = 0; past < 4 * LEASE_MS; past += 10_000) {
      expect(await heir.gone()).toEqual([]);
      await vi.advanceTimersByTimeAsync(10_000);
      await other.renew();
    }
    expect(await heir.gone()).toEqual([]);
    await other.stop();
    expect(await heir.gone()).toEqual([other.id]);
  });

  it.each([CONTAINER, PARENT])("that are silent for longer than the lease are gone", async (identity) => {
    vi.useFakeTimers();
    const [silent, heir] = [runner(identity), runner(HERE)];
    await silent.renew();
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS);
    expect(await heir.gone()).toEqual([]);
    expect(silent.lease.isHeld()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await heir.gone()).toEqual([silent.id]);
    await silent.renew();
    expect(await heir.gone()).toEqual([]);
  });

  it("are not gone because the clock was set, or the machine slept and all wake together", async () => {
    vi.useFakeTimers();
    const [other, heir] = [runner(CONTAINER), runner(HERE)];
    await other.start();
    await heir.gone();
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(other.lease.isHeld()).toBe(false);
    expect(await heir.gone()).toEqual([]);
    // Its next sign of life comes as if no time had passed.
    await vi.advanceTimersByTimeAsync(LEASE_MS / 6);
    await vi.waitFor(() => expect(other.lease.isHeld()).toBe(true), PATIENCE_MS);
    expect(await heir.gone()).toEqual([]);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(await heir.gone()).toEqual([]);
    await other.stop();
  });

  it("are not gone because who looks for them stood still before it heard of them", async () => {
    vi.useFakeTimers();
    const other = runner(CONTAINER);
    let stoodMs = 0;
    const kysely = database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        vi.advanceTimersByTime(stoodMs);
        return result;
      },
    });
    const heir = new Runners({ ...database, kysely }, LEASE_MS, HERE);
    await other.renew();
    expect(await heir.gone()).toEqual([]);
    stoodMs = 2 * LEASE_MS;
    expect(await heir.gone()).toEqual([]);
    stoodMs = 0;
    expect(await heir.gone()).toEqual([other.id]);
  });

  it("notice with a sign of life that the clock was set back, one of them, also before they began", async () => {
    vi.useFakeTimers();
    const told: string[] = [];
    const named = (name: string) =>
      new Runners(database, LEASE_MS, HERE, { setBack: (byMs) => void told.push(`${name} ${byMs}`) });
    const [one, other] = [named("one"), named("other")];
    await one.start();
    await other.start();
    vi.setSystemTime(Date.now() - 3_600_000);
    await other.renew();
    await one.renew();
    expect(told).toEqual(["other 3600000"]);
    vi.setSystemTime(Date.now() - 60_000);
    await named("next").start();
    expect(told.slice(1)).toEqual(["next 60000"]);
  });

  it("that were silent before the clock was set back are gone all the same", async () => {
    vi.useFakeTimers();
    const [silent, heir] = [runner(CONTAINER), runner(HERE)];
    await silent.renew();
    vi.setSystemTime(Date.now() - 86_400_000);
    await heir.gone();
    vi.advanceTimersByTime(LEASE_MS + 1);
    expect(await heir.gone()).toEqual([silent.id]);
  });

  it("that fell silent long before somebody looks have two beats' time to show themselves", async () => {
    vi.useFakeTimers();
    const [silent, heir] = [runner(CONTAINER), runner(HERE)];
    await silent.renew();
    vi.advanceTimersByTime(3_600_000);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(LEASE_MS / 3 - 1);
    expect(await heir.gone()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await heir.gone()).toEqual([silent.id]);
  });

  it("that fell silent long ago are waited for by whoever asks only once, and nobody else is", async () => {
    vi.useFakeTimers();
    const [silent, other, heir] = [runner(CONTAINER), runner(CONTAINER), runner(HERE)];
    await other.renew();
    expect(await heir.goneForSure()).toEqual([]);
    await silent.renew();
    vi.advanceTimersByTime(3_600_000);
    await other.renew();
    const gone = heir.goneForSure();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), PATIENCE_MS);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3 + 1);
    expect(await gone).toEqual([silent.id]);
  });
});

describe("a lease", () => {
  beforeEach(() => void vi.useFakeTimers());

  it("is held from a sign of life until shortly before others may take over, by either clock", () => {
    const lease = new Lease(6_000);
    const renew = () => lease.renew({ monotonic: performance.now(), wall: Date.now() });
    expect(lease.isHeld()).toBe(false);
    renew();
    vi.advanceTimersByTime(4_999);
    expect(lease.isHeld()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(lease.isHeld()).toBe(false);
    renew();
    expect(lease.isHeld()).toBe(true);
    // The monotonic clock stands still while the machine sleeps.
    vi.setSystemTime(Date.now() + 5_000);
    expect(lease.isHeld()).toBe(false);
    renew();
    vi.setSystemTime(Date.now() - 60_000);
    vi.advanceTimersByTime(5_000);
    expect(lease.isHeld()).toBe(false);
    renew();
    lease.end();
    expect(lease.isHeld()).toBe(false);
  });

  it("shrinks with the window, to what a busy machine keeps", () => {
    expect([60_000, 600_000, 20_000, 1_200].map(leaseFor)).toEqual([LEASE_MS, LEASE_MS, 10_000, 5_000]);
  });
});
