import { array, assert, asyncProperty, integer, nat, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../../adapters/kit/pipeline/fair-queue.ts";

/** Somebody in a chat of their own. */
const alone = (person: string) => ({ person, chat: person });

describe("the fair queue", () => {
  it("keep each person's order, never run two of one person's at once, and never more than allowed", async () => {
    const people = array(tuple(integer({ min: 1, max: 5 }), integer({ min: 1, max: 2 }), nat({ max: 3 })), {
      maxLength: 60,
    });
    await assert(
      asyncProperty(
        people,
        integer({ min: 1, max: 4 }),
        integer({ min: 1, max: 4 }),
        async (pieces, most, mostInChat) => {
          const queue = new FairQueue(most, mostInChat);
          const begun: [line: string, nth: number][] = [];
          const underWay: string[] = [];
          const ended = pieces.map(([person, chat, rounds], nth) => {
            const { promise, resolve } = Promise.withResolvers<void>();
            const line = `${person} in ${chat}`;
            queue.add({ person: String(person), chat: String(chat) }, async () => {
              expect(underWay).not.toContain(line);
              underWay.push(line);
              expect(underWay.length).toBeLessThanOrEqual(most);
              const inChat = underWay.filter((one) => one.endsWith(` in ${chat}`));
              expect(inChat.length).toBeLessThanOrEqual(mostInChat);
              begun.push([line, nth]);
              for (let round = 0; round < rounds; round++) await Promise.resolve();
              underWay.splice(underWay.indexOf(line), 1);
              resolve();
            });
            return promise;
          });
          await Promise.all(ended);
          for (const line of new Set(begun.map(([one]) => one))) {
            const order = begun.filter(([one]) => one === line).map(([, nth]) => nth);
            expect(order).toEqual(order.toSorted((a, b) => a - b));
          }
        },
      ),
    );
  });

  it("let one person's hundred pieces delay another's one by no more than one", async () => {
    const queue = new FairQueue(1);
    const begun: number[] = [];
    for (let piece = 0; piece < 100; piece++) queue.add(alone("1"), async () => void begun.push(1));
    const { promise: served, resolve } = Promise.withResolvers<void>();
    queue.add(alone("2"), async () => {
      begun.push(2);
      resolve();
    });
    await served;
    expect(begun.indexOf(2)).toBeLessThanOrEqual(2);
  });

  it("let nobody wait in private for what they, or a hundred others, wait for in a busy group", async () => {
    const queue = new FairQueue(100);
    const { promise: minute, resolve: pass } = Promise.withResolvers<void>();
    const begun: string[] = [];
    for (let person = 0; person < 200; person++)
      queue.add({ person: String(person), chat: "group" }, async () => {
        begun.push("group");
        await minute;
      });
    const { promise: served, resolve } = Promise.withResolvers<void>();
    queue.add(alone("0"), async () => resolve());
    await served;
    expect(begun).toHaveLength(25);
    pass();
    await queue.stop();
  });

  it("begin nothing after a stop, which waits for what is under way", async () => {
    const queue = new FairQueue(2);
    const begun: string[] = [];
    const { promise: work, resolve: end } = Promise.withResolvers<void>();
    queue.add(alone("1"), async () => {
      begun.push("first");
      await work;
      begun.push("first ended");
    });
    queue.add(alone("1"), async () => void begun.push("second"));
    const stopped = queue.stop();
    queue.add(alone("2"), async () => void begun.push("other"));
    end();
    await stopped;
    expect(begun).toEqual(["first", "first ended"]);
  });
});
