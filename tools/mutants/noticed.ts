import { readFileSync } from "node:fs";
import type { Copy } from "./copy.ts";
import type { Mutant } from "./mutants.ts";
import { testsOf } from "./tests.ts";

/** What became of a mutant, and who said it. */
export interface Verdict {
  readonly noticed: "types" | "lint" | "tests" | "time" | "not";
  readonly by: string;
}

const CHECKS_SECONDS = 1200;

/** What the checker and the linter say, of all mutants in one go: each stands beside its original under another name. */
export async function byChecks(copy: Copy, mutants: readonly Mutant[]): Promise<Map<Mutant, Verdict>> {
  const names = new Map(
    mutants.map((mutant, index) => [mutant.file.replace(/\.ts$/, `.mutant-${index}.ts`), mutant]),
  );
  for (const [name, { source }] of names) copy.write(name, source);
  const types = await copy.run(["tsc", "-p", ".", "--pretty", "false"], CHECKS_SECONDS);
  const lint = await copy.run(
    ["oxlint", "--type-aware", "--deny-warnings", "--format", "unix"],
    CHECKS_SECONDS,
  );
  for (const name of names.keys()) copy.remove(name);
  const verdicts = new Map<Mutant, Verdict>();
  const outputs = [
    ["types", types.output],
    ["lint", lint.output],
  ] as const;
  for (const [noticed, output] of outputs) {
    for (const line of output.split("\n")) {
      const name = /^(\S+?\.mutant-\d+\.ts)[(:]/.exec(line)?.[1];
      const mutant = name === undefined ? undefined : names.get(name.slice(name.search(/(src|adapters)\//)));
      if (mutant !== undefined && !verdicts.has(mutant)) verdicts.set(mutant, { noticed, by: line });
    }
  }
  return verdicts;
}

/** What the tests say that belong to the mutant's file; stops at the first that fails, twice: once may be by chance. */
export async function byTests(copy: Copy, mutant: Mutant, seconds: number): Promise<Verdict> {
  const original = readFileSync(mutant.file, "utf8");
  return copy.with(mutant, original, async () => {
    for (const tests of testsOf(mutant.file)) {
      const first = await copy.run(vitest(tests), seconds);
      const last = first.status === 0 ? first : await copy.run(vitest(tests), seconds);
      if (last.status === null) return { noticed: "time", by: `${seconds} s` };
      if (last.status !== 0) return { noticed: "tests", by: failed(last.output) };
    }
    return { noticed: "not", by: "" };
  });
}

/** What fails without a mutant, among the tests that belong to these files: it would notice everything. */
export async function failing(
  copy: Copy,
  files: readonly string[],
  seconds: number,
): Promise<string | undefined> {
  const tests = [...new Set(files.flatMap((file) => testsOf(file).flat()))];
  const { status, output } = await copy.run(vitest(tests), seconds * tests.length);
  return status === 0 ? undefined : output;
}

function failed(output: string): string {
  return /^ *FAIL +(.*)$/m.exec(output)?.[1] ?? "an error outside of any test";
}

function vitest(tests: readonly string[]): string[] {
  return ["vitest", "run", ...tests, "--bail=1", "--maxWorkers=1", "--reporter=dot"];
}
