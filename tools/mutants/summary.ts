import type { Mutant } from "./mutants.ts";
import type { Verdict } from "./noticed.ts";

/** What became of every mutant that was drawn. */
export type Verdicts = Map<Mutant, Verdict>;

const COLUMNS = {
  types: "types",
  lint: "lint",
  tests: "tests",
  time: "time",
  not: "survived",
  equivalent: "marked equivalent",
} as const satisfies Record<Verdict["noticed"], string>;

const KINDS = Object.keys(COLUMNS) as Verdict["noticed"][];

/** The share, 0 to 1, that was noticed of those that are not equivalent; 1 where there are none. */
export function shareOf(verdicts: Verdicts): number {
  const { able, noticed } = countsOf([...verdicts.values()]);
  return able === 0 ? 1 : noticed / able;
}

/** A table of folders, those that survived, and one line of sums. */
export function summaryOf(verdicts: Verdicts): string {
  const folders = Map.groupBy(verdicts, ([{ file }]) => file.slice(0, file.lastIndexOf("/")));
  const rows = [...folders].map(
    ([folder, all]) => `| ${folder} | ${countsOf(all.map(([, verdict]) => verdict)).each.join(" | ")} |`,
  );
  const survived = [...verdicts].filter(([, { noticed }]) => noticed === "not").map(([mutant]) => mutant);
  const { each, able, noticed } = countsOf([...verdicts.values()]);
  const sums = KINDS.map((kind, index) => `${each[index]} ${COLUMNS[kind]}`).join(", ");
  return [
    `| folder | ${Object.values(COLUMNS).join(" | ")} |`,
    `| --- |${" --- |".repeat(KINDS.length)}`,
    ...rows.sort(),
    "",
    ...survived.map(({ file, line, before, after }) => `${file}:${line} survived\n- ${before}\n+ ${after}\n`),
    `${verdicts.size} drawn: ${sums}`,
    `${noticed} of ${able} that are not equivalent noticed: ${(100 * shareOf(verdicts)).toFixed(1)} %`,
  ].join("\n");
}

function countsOf(verdicts: readonly Verdict[]) {
  const of = (kind: Verdict["noticed"]) => verdicts.filter(({ noticed }) => noticed === kind).length;
  const able = verdicts.length - of("equivalent");
  return { each: KINDS.map(of), able, noticed: able - of("not") };
}
