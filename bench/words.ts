import { refusedByWords } from "../src/domain/policy/words/refused-words.ts";
import { HOSTILE_MIXTURES, HOSTILE_TEXTS } from "../test/domain/policy/hostile-texts.ts";
import { drawn } from "../test/support/keys.ts";
import { type Section, table } from "./support/report.ts";

const SHORT = 4_096;
const LONG = 20_000;
const RUNS = 60;

/** The processor time of something, in milliseconds: others may be busy beside it. */
function costOf(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

/** What the rules cost for texts at the least, in turns: what one leaves behind in the compiler is the next one's, too. */
function leastCosts(texts: readonly (readonly string[])[]): number[] {
  const least = texts.map(() => Infinity);
  for (let run = 0; run < RUNS; run++)
    for (const [index, ofRuns] of texts.entries()) {
      const cost = costOf(() =>
        refusedByWords({ text: ofRuns[run] ?? "", avoided: "", photos: true, mature: false }),
      );
      least[index] = Math.min(least[index] ?? Infinity, cost);
    }
  return least;
}

/** The same text for each run. */
const repeated = (part: string) => (length: number) => {
  const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  return Array.from({ length: RUNS }, () => text);
};

/** Another text for each run, of letters that come back only when they were forgotten. */
function unseen(): (length: number) => readonly string[] {
  const below = drawn("letters");
  const letters = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))
    .filter((letter) => /\p{L}/u.test(letter))
    .map((letter) => ({ letter, at: below(2 ** 30) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ letter }) => letter)
    .join("");
  let from = 0;
  return (length) =>
    Array.from({ length: RUNS }, () => {
      if (from + length > letters.length) from = 0;
      return letters.slice(from, (from += length));
    });
}

/** Another text for each run, of characters that come in no order. */
function unordered(characters: string): (length: number) => readonly string[] {
  const below = drawn("characters");
  const all = Array.from(characters);
  return (length) =>
    Array.from({ length: RUNS }, () =>
      Array.from({ length }, () => all[below(all.length)] ?? "")
        .join("")
        .slice(0, length),
    );
}

/** What texts cost that were made to cost much. */
export async function words(): Promise<Section> {
  const kinds = {
    ...Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([name, part]) => [name, repeated(part)])),
    "letters that were never seen before": unseen(),
    ...Object.fromEntries(
      Object.entries(HOSTILE_MIXTURES).map(([name, characters]) => [name, unordered(characters)]),
    ),
  };
  const megabyte = JSON.stringify(Array.from({ length: 2 ** 16 }, (_, index) => `word ${100_000 + index}`));
  const yardstick = Math.min(...Array.from({ length: RUNS }, () => costOf(() => JSON.parse(megabyte))));
  const [shorts, longs] = [SHORT, LONG].map((length) =>
    leastCosts(Object.values(kinds).map((texts) => texts(length))),
  );
  const rows = Object.keys(kinds).map((name, index) => {
    return { name, short: shorts?.[index] ?? NaN, long: longs?.[index] ?? NaN };
  });
  const worst = rows.reduce((one, other) => (other.short > one.short ? other : one));
  const text = [
    `What the word rules cost for ${SHORT} and ${LONG} characters of texts that were made to cost much: processor time of`,
    `the least of ${RUNS} runs. Bound: 5 ms for ${SHORT}, and linear (${(LONG / SHORT).toFixed(1)} times as long).`,
    `The worst is ${worst.name}: ${worst.short.toFixed(1)} ms, which is ${(worst.short / yardstick).toFixed(1)} times what`,
    `\`JSON.parse\` takes for a megabyte of short strings in the same run (${yardstick.toFixed(1)} ms).`,
    "",
    table(
      ["text", `${SHORT}`, `${LONG}`, "ratio", "of `JSON.parse`"],
      rows.map(({ name, short, long }) => [
        name,
        `${short.toFixed(2)} ms`,
        `${long.toFixed(2)} ms`,
        (long / short).toFixed(1),
        (short / yardstick).toFixed(2),
      ]),
    ),
  ].join("\n");
  return { title: "Hostile words", text };
}
