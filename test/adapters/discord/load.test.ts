import { expect, it } from "vitest";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import type { Call } from "../../support/discord/rest-api.ts";
import { Child } from "../../support/crash-child.ts";
import { ACTS_EACH, bustling, gathered } from "../../support/discord/crowd.ts";
import { surroundings } from "./program-harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const PEOPLE = 100;

/**
 * Discord's time goes so much more slowly: whether every answer is there in three real seconds is for the bench to say,
 * on a machine that does nothing else.
 */
const SLOWLY = 5;

/** What each of them is told. */
const TOLD = [/^Cancelled/, /costs about/, /operator's key pays/, /^Nothing here yet/];

const FIRST_ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback";
const ALREADY_ANSWERED = 40060;

const isAskedOnceMore = ({ route, error }: Call) =>
  route === FIRST_ANSWER && error?.code === ALREADY_ANSWERED;

const TIMEOUT = { timeout: 2 * PATIENCE_MS };

it(
  "answers 500 interactions of a crowd in time, each once, and leaves nobody waiting for more",
  TIMEOUT,
  async () => {
    await using at = await surroundings({ timeScale: SLOWLY });
    const { discord } = at;
    using bot = new Child(at.home);
    await bot.url;
    const visitors = await gathered(discord, { people: PEOPLE, withinMs: 3_000 });
    const before = discord.interactions().length;
    await bustling(discord, visitors, 5_000);
    const times = discord
      .interactions()
      .slice(before)
      .map(({ acknowledgedAfter = Infinity }) => acknowledgedAfter);
    expect(times).toHaveLength(ACTS_EACH * PEOPLE);
    expect(Math.max(...times)).toBeLessThan(DISCORD.firstAnswerMs);
    for (const { person } of visitors) {
      for (const words of TOLD) await person.sees(words, { within: PATIENCE_MS });
      expect(person.chat().filter(({ from }) => from === "bot")).toHaveLength(TOLD.length);
    }
    // Three real seconds without a word of Discord's: on a slow machine Reelay asks whether its first answer was taken.
    expect(discord.calls().filter((call) => call.error && !isAskedOnceMore(call))).toEqual([]);
  },
);
