import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slots, type Permit } from "../../../src/infrastructure/queue/slots.ts";
import { held, sideBySide, TIMES, two } from "./learned.ts";

/** A service with a hidden number of slots, and one key that always has more to submit. */
class Service {
  readonly #learned = new Slots(TIMES);
  readonly #posted: Permit[] = [];
  running = 0;
  refusals = 0;
  ended = 0;
  capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get posted(): number {
    return this.#posted.length;
  }

  submit(): boolean {
    const permit = this.#learned.tryEnter("k", { running: this.running, unsure: 0 });
    if (permit) this.#posted.push(permit);
    return permit !== undefined;
  }

  answer(): void {
    const permit = this.#posted.shift();
    if (!permit) return;
    if (this.running < this.capacity) {
      this.running += 1;
      permit.accepted();
    } else {
      this.refusals += 1;
      permit.refused();
    }
  }

  end(): void {
    if (this.running === 0) return;
    this.running -= 1;
    this.ended += 1;
    this.#learned.ended("k");
  }

  /** Submits and answers until nothing more happens; the highest number that ran. */
  fill(): number {
    for (let i = 0; i < 1000 && (this.submit() || this.posted > 0); i += 1) this.answer();
    return this.running;
  }
}

describe("the slots of a key", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are tried for again after the pause, whatever the clock was set to meanwhile", () => {
    const slots = new Slots(TIMES);
    slots.tryEnter("k", held(0))?.refused();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(slots.tryEnter("k", held(0))).toBeUndefined();
    vi.advanceTimersByTime(TIMES.pauseMs);
    expect(slots.tryEnter("k", held(0))).toBeDefined();
  });

  const capacity = fc.integer({ min: 1, max: 30 });

  it("are all used in the end, after one refusal in as many jobs as there are slots", () => {
    const property = fc.property(capacity, fc.nat(100), (slots, singles) => {
      const service = new Service(slots);
      for (let i = 0; i < singles; i += 1) {
        service.submit();
        service.answer();
        service.end();
      }
      for (let i = 0; i < 40 * slots; i += 1) {
        service.fill();
        service.end();
      }
      expect(service.fill()).toBe(slots);
      // The first four may all leave before anything is known.
      const first = Math.max(1, 4 - slots);
      expect(service.refusals).toBeLessThanOrEqual(first + (service.ended - singles) / slots);
    });
    fc.assert(property);
  });

  it("are followed when their number changes", () => {
    const property = fc.property(fc.array(capacity, { minLength: 2, maxLength: 5 }), (capacities) => {
      const service = new Service(1);
      let most = 4;
      for (const slots of capacities) {
        most += Math.max(0, service.capacity - slots) + 1;
        service.capacity = slots;
        for (let i = 0; i < 2000; i += 1) {
          service.fill();
          service.end();
        }
        expect(service.fill()).toBe(slots);
      }
      const fewest = Math.min(...capacities);
      expect(service.refusals).toBeLessThanOrEqual(most + service.ended / fewest);
    });
    fc.assert(property, { numRuns: 30 });
  });

  it("never come to a standstill, in whatever order things happen", () => {
    const step = fc.constantFrom("submit", "answer", "end", "end", "shrink", "grow");
    const property = fc.property(capacity, fc.array(step, { maxLength: 300 }), (slots, steps) => {
      const service = new Service(slots);
      for (const step of steps) {
        if (step === "submit") service.submit();
        else if (step === "answer") service.answer();
        else if (step === "end") service.end();
        else service.capacity = Math.max(0, service.capacity + (step === "grow" ? 1 : -1));
      }
      service.capacity = Math.max(1, service.capacity);
      while (service.posted > 0) service.answer();
      while (service.running > 0) service.end();
      vi.advanceTimersByTime(10_000);
      expect(service.fill()).toBeGreaterThan(0);
    });
    fc.assert(property);
  });

  it("are tried one at a time beyond what is proven", () => {
    const service = new Service(10);
    while (service.submit());
    expect(service.posted).toBe(4);
    for (let i = 0; i < 4; i += 1) service.answer();
    expect(service.submit()).toBe(true);
    expect(service.submit()).toBe(false);
    service.answer();
    expect(service.running).toBe(5);
    expect(service.submit()).toBe(true);
  });

  it("are not tried for again as soon as one ends", () => {
    const service = new Service(5);
    for (let i = 0; i < 100; i += 1) {
      service.submit();
      service.answer();
      service.end();
    }
    for (let i = 0; i < 5; i += 1) {
      service.fill();
      expect(service.refusals).toBe(1);
      service.end();
    }
    service.fill();
    expect(service.refusals).toBe(2);
  });

  it("are left alone for a while when others hold them all", () => {
    const service = new Service(0);
    service.fill();
    const refused = service.refusals;
    expect(refused).toBeLessThanOrEqual(4);
    vi.advanceTimersByTime(9_999);
    expect(service.submit()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(service.submit()).toBe(true);
  });

  it("are counted without the job that ended while a refusal was on its way", () => {
    const slots = new Slots(TIMES);
    slots.tryEnter("k", held(0))?.accepted();
    slots.tryEnter("k", held(1))?.accepted();
    const third = slots.tryEnter("k", held(2));
    slots.ended("k");
    third?.refused();
    expect(slots.tryEnter("k", held(1))).toBeUndefined();
    expect(slots.tryEnter("k", held(0))).toBeDefined();
  });

  it("learn nothing from a submission that came to nothing", () => {
    const slots = new Slots(TIMES);
    for (let i = 0; i < 100; i += 1) slots.tryEnter("k", { running: 0, unsure: 0 })?.abandoned();
    expect(slots.tryEnter("k", { running: 3, unsure: 0 })).toBeDefined();
    expect(slots.tryEnter("k", { running: 3, unsure: 0 })).toBeUndefined();
  });

  describe("of a key", () => {
    it("are proven by as many as were seen to run", () => {
      const slots = new Slots(TIMES);
      expect(sideBySide(slots, 0)).toBe(4);
      slots.tryEnter("k", held(3))?.accepted();
      expect(sideBySide(slots, 0)).toBe(4);
      slots.tryEnter("k", held(4))?.accepted();
      expect(sideBySide(slots, 0)).toBe(5);
    });

    it("are as many as ran when one was refused, with those that were accepted meanwhile", () => {
      const slots = two();
      expect([sideBySide(slots, 0), sideBySide(slots, 1), sideBySide(slots, 2)]).toEqual([2, 1, 0]);
    });

    it("are at least one, and left alone only where no job explains a refusal", () => {
      const slots = new Slots(TIMES);
      const [first, second] = [slots.tryEnter("k", held(0)), slots.tryEnter("k", held(0))];
      first?.accepted();
      second?.refused();
      expect([sideBySide(slots, 0), sideBySide(slots, 1)]).toEqual([1, 0]);
      slots.ended("k");
      slots.tryEnter("k", held(0))?.refused();
      expect(sideBySide(slots, 0)).toBe(0);
      vi.advanceTimersByTime(10_000);
      expect([sideBySide(slots, 0), sideBySide(slots, 1)]).toEqual([1, 0]);
    });

    it("count no job that ended before the refusal came", () => {
      const slots = new Slots(TIMES);
      const permit = slots.tryEnter("k", held(1));
      slots.ended("k");
      permit?.refused();
      expect(sideBySide(slots, 0)).toBe(0);
    });

    it("are more where more are seen to run than was known", () => {
      const slots = new Slots(TIMES);
      const [first, second] = [slots.tryEnter("k", held(0)), slots.tryEnter("k", held(0))];
      second?.refused();
      // Taken over from a process that is gone.
      expect(slots.tryEnter("k", held(3))).toBeUndefined();
      first?.accepted();
      expect([sideBySide(slots, 3), sideBySide(slots, 4)]).toEqual([1, 0]);
    });

    it("are counted anew for one more after each refusal", () => {
      const slots = two();
      const ended = (count: number) => {
        for (let nth = 0; nth < count; nth += 1) slots.ended("k");
      };
      ended(1);
      expect(sideBySide(slots, 2)).toBe(0);
      ended(2);
      slots.tryEnter("k", held(2))?.refused();
      ended(1);
      expect(sideBySide(slots, 2)).toBe(0);
      ended(1);
      expect(sideBySide(slots, 2)).toBe(1);
    });

    it("rise by one at a time, and what is not proven is tried for by itself", () => {
      const slots = two();
      const ended = (count: number) => {
        for (let nth = 0; nth < count; nth += 1) slots.ended("k");
      };
      ended(2);
      expect([sideBySide(slots, 0), sideBySide(slots, 2), sideBySide(slots, 3)]).toEqual([2, 1, 0]);
      ended(2);
      expect(sideBySide(slots, 3)).toBe(0);
      ended(1);
      expect([sideBySide(slots, 3), sideBySide(slots, 4)]).toEqual([1, 0]);
    });

    it("are not another key's", () => {
      const slots = two();
      slots.ended("another");
      expect(slots.tryEnter("another", held(2))).toBeDefined();
      expect(sideBySide(slots, 2)).toBe(0);
    });
  });

  describe("of which one may be held by a submission that gives no answer", () => {
    it("are tried for by others within a moment, one at a time, while none is known", () => {
      const slots = new Slots(TIMES);
      for (let nth = 0; nth < 4; nth += 1) expect(slots.tryEnter("k", held(0))).toBeDefined();
      for (let others = 0; others < 5; others += 1) {
        // The four are silent, as is each one after them.
        expect(slots.tryEnter("k", held(0))).toBeUndefined();
        vi.advanceTimersByTime(999);
        expect(slots.tryEnter("k", held(0))).toBeUndefined();
        vi.advanceTimersByTime(1);
        expect(slots.tryEnter("k", held(0))).toBeDefined();
      }
    });

    it("do not keep those waiting whose submissions are answered", () => {
      const slots = new Slots(TIMES);
      slots.tryEnter("k", held(0));
      vi.advanceTimersByTime(1_000);
      for (let running = 0; running < 20; running += 1) {
        const permit = slots.tryEnter("k", held(running));
        expect(permit).toBeDefined();
        permit?.accepted();
      }
    });

    it.each([
      ["silent", 0],
      ["unsure", 1],
    ])("are tried for once in a pause when all are known and a %s one has the last", (_name, unsure) => {
      const slots = new Slots(TIMES);
      const first = slots.tryEnter("k", held(0));
      const second = slots.tryEnter("k", held(0));
      first?.accepted();
      second?.accepted();
      slots.tryEnter("k", held(2))?.refused();
      slots.ended("k");
      const silent = slots.tryEnter("k", held(1));
      if (unsure > 0) silent?.abandoned();
      else vi.advanceTimersByTime(1_000);

      const refused = slots.tryEnter("k", held(1, unsure));
      expect(refused).toBeDefined();
      // Another one at the same time would be one more refusal.
      expect(slots.tryEnter("k", held(1, unsure))).toBeUndefined();
      refused?.refused();
      vi.advanceTimersByTime(9_999);
      expect(slots.tryEnter("k", held(1, unsure))).toBeUndefined();
      vi.advanceTimersByTime(1);
      const taken = slots.tryEnter("k", held(1, unsure));
      expect(taken).toBeDefined();
      taken?.accepted();
      // It held none: the two that are known are taken now.
      vi.advanceTimersByTime(60_000);
      expect(slots.tryEnter("k", held(2, unsure))).toBeUndefined();
      // The refusal taught nothing about how many there are.
      slots.ended("k");
      silent?.abandoned();
      expect(slots.tryEnter("k", held(1))).toBeDefined();
    });
  });
});
