import { array, assert, asyncProperty, integer, nat, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { Turns } from "../../src/chat/turns.ts";

describe("turns", () => {
  it("keep each person's order, never run two of one person's at once, and never more than allowed", async () => {
    const people = array(tuple(integer({ min: 1, max: 5 }), nat({ max: 3 })), { maxLength: 60 });
    await assert(
      asyncProperty(people, integer({ min: 1, max: 4 }), async (pieces, most) => {
        const turns = new Turns(most);
        const begun: [person: number, nth: number][] = [];
        const underWay: number[] = [];
        const ended = pieces.map(([person, rounds], nth) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          turns.add(String(person), async () => {
            expect(underWay).not.toContain(person);
            underWay.push(person);
            expect(underWay.length).toBeLessThanOrEqual(most);
            begun.push([person, nth]);
            for (let round = 0; round < rounds; round++) await Promise.resolve();
            underWay.splice(underWay.indexOf(person), 1);
            resolve();
          });
          return promise;
        });
        await Promise.all(ended);
        for (const person of new Set(pieces.map(([one]) => one))) {
          const order = begun.filter(([one]) => one === person).map(([, nth]) => nth);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it("let one person's hundred pieces delay another's one by no more than one", async () => {
    const turns = new Turns(1);
    const begun: number[] = [];
    for (let piece = 0; piece < 100; piece++) turns.add("1", async () => void begun.push(1));
    const { promise: served, resolve } = Promise.withResolvers<void>();
    turns.add("2", async () => {
      begun.push(2);
      resolve();
    });
    await served;
    expect(begun.indexOf(2)).toBeLessThanOrEqual(2);
  });

  it("begin nothing after a stop, which waits for what is under way", async () => {
    const turns = new Turns(2);
    const begun: string[] = [];
    const { promise: work, resolve: end } = Promise.withResolvers<void>();
    turns.add("1", async () => {
      begun.push("first");
      await work;
      begun.push("first ended");
    });
    turns.add("1", async () => void begun.push("second"));
    const stopped = turns.stop();
    turns.add("2", async () => void begun.push("other"));
    end();
    await stopped;
    expect(begun).toEqual(["first", "first ended"]);
  });
});
