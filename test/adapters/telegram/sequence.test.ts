import type { Update } from "telegraf/types";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Sequence } from "../../../adapters/telegram/sequence.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function harness() {
  const handed: number[] = [];
  const sequence = new Sequence(({ update_id: id }) => handed.push(id));
  const add = (...ids: readonly number[]) => {
    for (const id of ids) sequence.add({ update_id: id } as Update);
  };
  return { handed, sequence, add };
}

/** One that has handed on 1. */
function begun() {
  const started = harness();
  started.add(1);
  vi.advanceTimersByTime(500);
  expect(started.handed).toEqual([1]);
  return started;
}

it("hands on at once what is next", () => {
  const { handed, add } = begun();
  add(2, 3);
  expect(handed).toEqual([1, 2, 3]);
});

it("holds what came too early until those before it are there", () => {
  const { handed, add } = begun();
  add(4, 6, 3);
  expect(handed).toEqual([1]);
  add(2);
  expect(handed).toEqual([1, 2, 3, 4]);
  add(5);
  expect(handed).toEqual([1, 2, 3, 4, 5, 6]);
  expect(vi.getTimerCount()).toBe(0);
});

it("waits for the beginning too, since nobody knows which id that is", () => {
  const { handed, add } = harness();
  add(9, 8);
  expect(handed).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(handed).toEqual([8, 9]);
});

it("waits half a second for one that never comes, however much comes after it", () => {
  const { handed, add } = begun();
  for (let id = 3; id < 13; id++) {
    add(id);
    vi.advanceTimersByTime(49);
  }
  expect(handed).toEqual([1]);
  vi.advanceTimersByTime(10);
  expect(handed).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

it("hands on at once what comes after its time", () => {
  const { handed, add } = begun();
  add(3);
  vi.advanceTimersByTime(500);
  add(2, 4);
  expect(handed).toEqual([1, 3, 2, 4]);
});

it("takes any id for the next after a week", () => {
  const { handed, add } = harness();
  add(1_000);
  vi.advanceTimersByTime(7 * 24 * 3_600_000);
  add(8, 7);
  expect(handed).toEqual([1_000]);
  vi.advanceTimersByTime(500);
  add(9);
  expect(handed).toEqual([1_000, 7, 8, 9]);
});

it("hands on nothing after it was stopped", () => {
  const { handed, sequence, add } = begun();
  add(4, 3);
  sequence.stop();
  vi.advanceTimersByTime(500);
  expect(handed).toEqual([1]);
});
