/**
 * Changes the core's most critical sources in small ways, one at a time and in a copy, and says which changes no check
 * noticed: `npm run mutants -- --seed 7 --count 60 --only src/jobs/ledger.ts:100-140`.
 */
import { parseArgs } from "node:util";
import { Copy } from "./copy.ts";
import { drawn, mutantsOf, type Mutant } from "./mutants.ts";
import { byChecks, byTests, failing, type Verdict } from "./noticed.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    only: { type: "string" },
    seconds: { type: "string", default: "600" },
  },
});
const seconds = Number(values.seconds);
const mutants = mutantsOf(values.only);
const sample = drawn(mutants, Number(values.seed), Number(values.count));
say(`${sample.length} of ${mutants.length} mutants, seed ${values.seed}`);

using copy = new Copy();
const verdicts = await byChecks(copy, sample);
const left = sample.filter((mutant) => !verdicts.has(mutant));
say(`${verdicts.size} noticed by types or lint; the tests of the others first run without any`);
const red = await failing(copy, [...new Set(left.map(({ file }) => file))], seconds);
if (red !== undefined) throw new Error(`tests fail without a mutant:\n${red}`);
for (const mutant of left) {
  const verdict = await byTests(copy, mutant, seconds);
  verdicts.set(mutant, verdict);
  say(`${mutant.file}:${mutant.line} ${verdict.noticed} ${verdict.by}`);
  if (verdict.noticed === "not") say(`- ${mutant.before}\n+ ${mutant.after}`);
}
say(summary(verdicts));

/** A table of folders, and the share of all that was noticed. */
function summary(verdicts: ReadonlyMap<Mutant, Verdict>): string {
  const folders = Map.groupBy(verdicts, ([{ file }]) => file.slice(0, file.lastIndexOf("/")));
  const rows = [...folders]
    .map(([folder, all]) => {
      const of = (noticed: Verdict["noticed"]) =>
        all.filter(([, verdict]) => verdict.noticed === noticed).length;
      const counts = [all.length, of("types"), of("lint"), of("tests"), of("time"), of("not")];
      return `| ${folder} | ${counts.join(" | ")} |`;
    })
    .sort();
  const missed = [...verdicts.values()].filter(({ noticed }) => noticed === "not").length;
  const share = ((100 * (verdicts.size - missed)) / verdicts.size).toFixed(1);
  const head =
    "| folder | drawn | types | lint | tests | time | not noticed |\n| --- | --- | --- | --- | --- | --- | --- |";
  return [head, ...rows, "", `${share} % noticed`].join("\n");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
