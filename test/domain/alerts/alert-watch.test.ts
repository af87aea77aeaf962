import { describe, expect, it } from "vitest";
import { ownRole, type Role } from "../../../src/common/role.ts";
import { AlertWatch, type AlertWatchParts } from "../../../src/domain/alerts/alert-watch.ts";
import type { Sighting } from "../../../src/domain/alerts/alert.ts";
import type { Watcher } from "../../../src/domain/alerts/watcher.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type AlertWorld, alertWorld, log, MINUTE } from "./harness.ts";

const full = { kind: "disk_full", params: { bytes: 1 } } as const;

const refused = (of: string) => ({ kind: "key_refused", of, params: { name: of } }) as const;

/** A watch of a node that looks when it is told to. */
function watchIn(world: AlertWorld, different: Partial<AlertWatchParts> = {}) {
  const { alerts, teller } = world.node();
  const away: string[] = [];
  const state = { isAway: false };
  const check = async () => {
    if (state.isAway) throw new ReelayError("storage_down", { reason: "" });
  };
  const watch = new AlertWatch({
    alerts,
    database: { ...world.database, check },
    watchers: [],
    role: ownRole(),
    patienceOf: () => ({ holdsMs: MINUTE, endsMs: 2 * MINUTE }),
    now: () => world.clock.now,
    prepare: async () => {},
    tellAway: async () => away.push("told") > 0,
    log,
    ...different,
  });
  /** Looks again and again for a while. */
  const lookFor = async (ms: number) => {
    for (const end = world.clock.now + ms; world.clock.now < end; world.clock.now += MINUTE / 3) {
      await watch.look();
      if (!state.isAway) await teller.tellAll();
    }
  };
  return { watch, lookFor, away, state };
}

const sees = (found: () => readonly Sighting[], different: Partial<Watcher> = {}): Watcher => ({
  look: async () => found(),
  ...different,
});

describe("a watch", () => {
  it("says nothing of an installation that is well", async () => {
    await using world = await alertWorld();
    const { lookFor, away } = watchIn(world, { watchers: [sees(() => [])] });
    await lookFor(30 * MINUTE);
    expect([world.told(), away]).toEqual([[], []]);
  });

  it("says what it sees for long enough, and when it is gone", async () => {
    await using world = await alertWorld();
    let found: readonly Sighting[] = [full];
    const { lookFor } = watchIn(world, { watchers: [sees(() => found)] });
    await lookFor(MINUTE);
    expect(world.told()).toEqual([]);
    await lookFor(MINUTE);
    expect(world.told()).toEqual(["alert.disk_full"]);
    found = [];
    await lookFor(3 * MINUTE);
    expect(world.told()).toEqual(["alert.disk_full", "alert.disk_full.over"]);
  });

  it("says that it is over as soon as what it is about is removed, where that can be looked at", async () => {
    await using world = await alertWorld();
    let found: readonly Sighting[] = [full, refused("one"), refused("two"), refused("three")];
    const isRemoved = async ({ of }: { readonly of?: string }) => {
      if (of === "two") throw new Error("it cannot be read");
      return of === "one" && found.length === 0;
    };
    const watcher = sees(() => found, { removed: { kinds: ["key_refused"], isRemoved } });
    const { lookFor } = watchIn(world, { watchers: [watcher] });
    await lookFor(2 * MINUTE);
    expect(world.told().length).toBe(4);
    found = [];
    await lookFor(MINUTE / 3);
    expect(world.told().slice(4)).toEqual(["alert.key_refused.over"]);
    await lookFor(3 * MINUTE);
    expect(world.told().length).toBe(8);
  });

  it("goes on seeing everything else where one cannot look", async () => {
    await using world = await alertWorld();
    const broken = { look: () => Promise.reject(new Error("it cannot be asked")) };
    const { lookFor } = watchIn(world, { watchers: [broken, sees(() => [full])] });
    await lookFor(2 * MINUTE);
    expect(world.told()).toEqual(["alert.disk_full"]);
  });

  it("asks as seldom as it should, and what is the same from every node only where the role is its own", async () => {
    await using world = await alertWorld();
    const asked = { seldom: 0, once: 0, always: 0 };
    const count = (name: keyof typeof asked, different: Partial<Watcher> = {}) =>
      sees(() => ((asked[name] += 1), []), different);
    const role: Role & { isOurs: boolean } = { ...ownRole(), isOurs: false };
    const { lookFor } = watchIn(world, {
      role,
      watchers: [count("seldom", { everyMs: 5 * MINUTE }), count("once", { once: true }), count("always")],
    });
    await lookFor(10 * MINUTE);
    expect(asked).toEqual({ seldom: 2, once: 0, always: 30 });
    role.isOurs = true;
    await lookFor(MINUTE);
    expect(asked.once).toBe(3);
  });

  it("tells at once that the database is away, once, and by it that it is back", async () => {
    await using world = await alertWorld();
    const { lookFor, away, state } = watchIn(world);
    await lookFor(MINUTE);
    state.isAway = true;
    await lookFor(MINUTE);
    expect(away).toEqual([]);
    await lookFor(10 * MINUTE);
    expect(away).toEqual(["told"]);
    state.isAway = false;
    await lookFor(MINUTE);
    expect(world.told()).toEqual([]);
    await lookFor(5 * MINUTE);
    expect(world.told()).toEqual(["alert.storage_away.over"]);
  });

  it("tells it again and again until somebody was told, and nothing of one that was told to nobody", async () => {
    await using world = await alertWorld();
    const tries: boolean[] = [];
    const { lookFor, state } = watchIn(world, {
      tellAway: async () => {
        tries.push(false);
        throw new Error("no network");
      },
    });
    await lookFor(MINUTE);
    state.isAway = true;
    await lookFor(3 * MINUTE);
    expect(tries.length).toBeGreaterThan(3);
    state.isAway = false;
    await lookFor(5 * MINUTE);
    expect(world.told()).toEqual([]);
  });

  it("leaves it to the node that had the role when the database was last there", async () => {
    await using world = await alertWorld();
    const role: Role & { isOurs: boolean } = { ...ownRole(), isOurs: false };
    const { lookFor, away, state } = watchIn(world, { role });
    await lookFor(MINUTE);
    state.isAway = true;
    await lookFor(5 * MINUTE);
    expect(away).toEqual([]);
  });

  it("counts nothing as over because it could not be written that it was seen", async () => {
    await using world = await alertWorld();
    const { lookFor, state } = watchIn(world, {
      watchers: [sees(() => [full])],
      tellAway: async () => false,
    });
    await lookFor(2 * MINUTE);
    state.isAway = true;
    await lookFor(20 * MINUTE);
    state.isAway = false;
    await lookFor(5 * MINUTE);
    expect(world.told()).toEqual(["alert.disk_full"]);
  });
});
