import { expect, it } from "vitest";
import { TELEGRAM } from "../../../adapters/telegram/api/limits.ts";
import { crowd, outcomeOf } from "../../support/telegram/crowd.ts";
import { harness } from "./words-harness.ts";

const PEOPLE = 100;

/** Telegram's own rules, but twice as many messages a second altogether: 150 answers take two seconds. */
const PER_SECOND = 2 * TELEGRAM.perSecond;

const OFFERS = "What shall I make from this picture?";

it("answers everybody of a crowd once, each in their order, and is never too fast", async () => {
  const pace = { ...TELEGRAM, perSecond: PER_SECOND };
  await using on = await harness({ pace, limits: { botMessages: PER_SECOND } });
  const visitors = await crowd(on.telegram, { people: PEOPLE, withinMs: 500 });
  await Promise.all(visitors.map(({ person, wish }) => person.sees(wish ?? OFFERS)));
  expect(on.telegram.calls().filter(({ error }) => error)).toEqual([]);
  const updates = 1.5 * PEOPLE;
  expect(outcomeOf(visitors, OFFERS)).toEqual({ updates, answered: updates, surplus: 0, inOrder: PEOPLE });
});
