import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slots } from "../../../src/infrastructure/queue/slots.ts";
import { held, sideBySide, TIMES, two } from "./learned.ts";

/** What a key holds by then: nothing. */
const look = async () => held(0);

/** Both of a key's slots are held. */
const both = () => {
  const slots = two();
  const [first, second] = [slots.tryEnter("k", held(0)), slots.tryEnter("k", held(0))];
  if (!first || !second) throw new Error("There are two.");
  return { slots, first, second };
};

describe("slots that are given back meanwhile", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are others' at once, and are had again where there is room by then", async () => {
    const { slots, first, second } = both();
    expect(slots.tryEnter("k", held(0))).toBeUndefined();
    first.giveBack(false);
    const other = slots.tryEnter("k", held(0));
    expect(other).toBeDefined();
    expect(await first.takeAgain(look)).toBe(false);
    second.abandoned();
    expect(await first.takeAgain(look)).toBe(true);
    expect(slots.tryEnter("k", held(0))).toBeUndefined();
    other?.abandoned();
    expect(await first.takeAgain(async () => held(2))).toBe(true);
    expect(sideBySide(slots, 0)).toBe(1);
  });

  it("are tried for beside others where none is known, and not where all are", async () => {
    const unknown = new Slots(TIMES);
    const ready = unknown.tryEnter("k", held(4));
    ready?.giveBack(false);
    expect(unknown.tryEnter("k", held(4))).toBeDefined();
    expect(unknown.tryEnter("k", held(4))).toBeUndefined();
    expect(await ready?.takeAgain(async () => held(4))).toBe(true);
    const { first } = both();
    first.giveBack(false);
    expect(await first.takeAgain(async () => held(1))).toBe(false);
  });

  it("are counted with what the key holds by then, and count as no reason of a refusal", async () => {
    const { slots, first, second } = both();
    first.giveBack(false);
    expect(await first.takeAgain(async () => held(1))).toBe(false);
    second.refused();
    expect([sideBySide(slots, 0), sideBySide(slots, 1)]).toEqual([1, 0]);
  });

  it("are kept for one at a time that was passed", async () => {
    const { slots, first, second } = both();
    first.giveBack(true);
    second.giveBack(true);
    vi.advanceTimersByTime(TIMES.silentMs);
    expect([sideBySide(slots, 0), sideBySide(slots, 1)]).toEqual([1, 0]);
    expect(await second.takeAgain(look)).toBe(true);
    expect(await first.takeAgain(look)).toBe(true);
    second.giveBack(true);
    expect(sideBySide(slots, 0)).toBe(0);
    first.abandoned();
    second.abandoned();
    expect(sideBySide(slots, 0)).toBe(2);
  });
});
