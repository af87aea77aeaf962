import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slots, type Permit } from "../../src/queue/slots.ts";

/** A service with a hidden number of slots, and one key that always has more to submit. */
class Service {
  readonly #learned = new Slots(10_000);
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
    const permit = this.#learned.tryEnter("k", this.running);
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

  it("learn nothing from a submission that came to nothing", () => {
    const slots = new Slots(10_000);
    for (let i = 0; i < 100; i += 1) slots.tryEnter("k", 0)?.abandoned();
    expect(slots.tryEnter("k", 3)).toBeDefined();
    expect(slots.tryEnter("k", 3)).toBeUndefined();
  });
});
