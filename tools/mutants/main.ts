/**
 * Changes the core's most critical sources in small ways, one at a time and in copies, and says which changes no check
 * noticed: `npm run mutants -- --seed 7 --count 60 --only src/domain/jobs/ledger.ts:100-140`. Exits with 1 where fewer were
 * noticed than {@link WANTED}.
 */
import { parseArgs } from "node:util";
import { Copy } from "./copy.ts";
import { drawn, mutantsOf } from "./mutants.ts";
import { byChecks, byTests, failingAnyway } from "./noticed.ts";
import { shareOf, summaryOf, type Verdicts } from "./summary.ts";

/** The share of the mutants that are not equivalent to be noticed. */
const WANTED = 0.95;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    only: { type: "string", multiple: true },
    /** How long the tests of one mutant may take together. */
    seconds: { type: "string", default: "600" },
    /** Mutants tried at once: most of what a test does is waiting. */
    concurrency: { type: "string", default: "4" },
  },
});
const seconds = Number(values.seconds);
const mutants = mutantsOf(values.only);
const sample = drawn(mutants, Number(values.seed), Number(values.count));
say(`${sample.length} of ${mutants.length} mutants, seed ${values.seed}`);

await using closing = new AsyncDisposableStack();
const copies = Array.from({ length: Number(values.concurrency) }, () => closing.use(new Copy()));
const [first] = copies;
if (!first) throw new RangeError("--concurrency is at least 1");

const verdicts: Verdicts = new Map();
for (const mutant of sample)
  if (mutant.reason !== undefined) verdicts.set(mutant, { noticed: "equivalent", by: mutant.reason });
const tried = sample.filter((mutant) => !verdicts.has(mutant));
for (const [mutant, verdict] of await byChecks(first, tried)) verdicts.set(mutant, verdict);
const left = tried.filter((mutant) => !verdicts.has(mutant));
say(`${left.length} not noticed by types or lint`);

await Promise.all(
  copies.map(async (copy) => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const verdict = await byTests(copy, mutant, seconds);
      verdicts.set(mutant, verdict);
      say(`${mutant.file}:${mutant.line} ${verdict.noticed} ${verdict.by}`);
      if (verdict.noticed === "not") say(`- ${mutant.before}\n+ ${mutant.after}`);
    }
  }),
);
const red = await failingAnyway(first, verdicts.values(), seconds);
if (red !== undefined) throw new Error(`tests fail without a mutant:\n${red}`);
say(summaryOf(verdicts));
if (shareOf(verdicts) < WANTED) process.exitCode = 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
