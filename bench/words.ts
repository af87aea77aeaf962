import { refusedByWords } from "../src/domain/policy/words/refused-words.ts";
import { HOSTILE_TEXTS } from "../test/domain/policy/hostile-texts.ts";
import { type Section, table } from "./support/report.ts";

const SHORT = 4_096;
const LONG = 20_000;
const RUNS = 25;

/** The least processor time for a text of a length, in milliseconds: others may be busy beside it. */
function costOf(part: string, length: number): number {
  const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const times = Array.from({ length: RUNS }, () => {
    const from = process.cpuUsage();
    refusedByWords({ text, avoided: "", photos: true, mature: false });
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** What texts cost that were made to cost much. */
export async function words(): Promise<Section> {
  const rows = Object.entries(HOSTILE_TEXTS).map(([name, part]) => {
    const [short, long] = [costOf(part, SHORT), costOf(part, LONG)];
    return { name, short, long };
  });
  const worst = rows.reduce((one, other) => (other.short > one.short ? other : one));
  const text = [
    `What the word rules cost for ${SHORT} and ${LONG} characters of texts that were made to cost much: processor time of`,
    `the least of ${RUNS} runs. Bound: 5 ms for ${SHORT}, and linear (${(LONG / SHORT).toFixed(1)} times as long).`,
    `The worst is ${worst.name}: ${worst.short.toFixed(1)} ms.`,
    "",
    table(
      ["text", `${SHORT}`, `${LONG}`, "ratio"],
      rows.map(({ name, short, long }) => [
        name,
        `${short.toFixed(2)} ms`,
        `${long.toFixed(2)} ms`,
        (long / short).toFixed(1),
      ]),
    ),
  ].join("\n");
  return { title: "Hostile words", text };
}
