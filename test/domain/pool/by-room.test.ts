import { assert, array, float, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import { byRoom, type KeyLoad } from "../../../src/domain/pool/by-room.ts";

const idle = (id: string, different: Partial<KeyLoad> = {}): KeyLoad => ({
  id,
  weight: 1,
  requests: 0,
  rate: 20,
  jobs: 0,
  slots: 10,
  ...different,
});

/** A lot that is drawn the same each time. */
const lots = (seed = 1) => {
  let at = seed;
  return () => (at = (at * 16_807) % 2_147_483_647) / 2_147_483_647;
};

const firstOf = (random: () => number) => byRoom([idle("a"), idle("b")], random)[0];

it("puts the key first that would be the least full, by its window or by its slots", () => {
  const keys = [idle("window", { requests: 10 }), idle("slots", { jobs: 4 }), idle("free", { requests: 1 })];
  expect(byRoom(keys, lots())).toEqual(["free", "slots", "window"]);
});

it("puts a key whose window is full after all others, whatever its weight", () => {
  const keys = [idle("full", { requests: 20, weight: 100 }), idle("busy", { requests: 19, jobs: 9 })];
  expect(byRoom(keys, lots())).toEqual(["busy", "full"]);
});

it("gives keys as much as they weigh, and none is passed over", () => {
  const taken = { light: 0, heavy: 0, other: 0 };
  const random = lots(7);
  for (let nth = 0; nth < 40; nth++) {
    const load = (id: keyof typeof taken, weight: number) =>
      idle(id, { weight, requests: taken[id], rate: 1000, slots: 1000 });
    const [first = ""] = byRoom([load("light", 1), load("heavy", 2), load("other", 1)], random);
    taken[first as keyof typeof taken] += 1;
  }
  expect(taken).toEqual({ light: 10, heavy: 20, other: 10 });
});

it("leaves it to the lot which of two that are equal is the first", () => {
  expect(firstOf(() => 0.5)).toBe("a");
  const random = lots();
  const firsts = Array.from({ length: 40 }, () => firstOf(random));
  expect(new Set(firsts)).toEqual(new Set(["a", "b"]));
});

it("gives each key once, the same for the same lots", () => {
  const load = record({
    weight: integer({ min: 1, max: 100 }),
    requests: integer({ min: 0, max: 40 }),
    rate: integer({ min: 1, max: 40 }),
    jobs: integer({ min: 0, max: 40 }),
    slots: integer({ min: 1, max: 40 }),
  });
  assert(
    property(array(load), float({ min: 0, max: 1, noNaN: true }), (loads, lot) => {
      const keys = loads.map((one, nth) => ({ ...one, id: String(nth) }));
      const order = byRoom(keys, () => lot);
      expect(order.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
      expect(byRoom(keys, () => lot)).toEqual(order);
    }),
  );
});
