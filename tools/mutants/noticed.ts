import type { Copy, Ended } from "./copy.ts";
import type { Mutant } from "./mutants.ts";
import { testsOf } from "./tests.ts";

/** What became of a mutant, and who said it. */
export interface Verdict {
  readonly noticed: "types" | "lint" | "tests" | "time" | "not" | "equivalent";
  readonly by: string;
  /** The test files that noticed it. */
  readonly files?: readonly string[];
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

/** What the tests say that belong to the mutant's file. One that stands still is taken for a failure. */
export async function byTests(copy: Copy, mutant: Mutant, seconds: number): Promise<Verdict> {
  return copy.with(mutant, async () => {
    for (const tests of testsOf(copy.folder, mutant.file)) {
      const { status, output } = await twice(copy, vitest(tests), seconds);
      if (status === null) return { noticed: "time", by: `${seconds} s` };
      if (status !== 0) return { noticed: "tests", ...failed(output, tests) };
    }
    return { noticed: "not", by: "" };
  });
}

/** What the tests that noticed something say where there is no mutant: one that fails then, too, would notice everything. */
export async function failingAnyway(
  copy: Copy,
  verdicts: Iterable<Verdict>,
  seconds: number,
): Promise<string | undefined> {
  const files = new Set([...verdicts].flatMap((verdict) => verdict.files ?? []));
  if (files.size === 0) return undefined;
  const { status, output } = await twice(copy, vitest([...files]), seconds * files.size);
  return status === 0 ? undefined : output;
}

/** Runs tests, once more where one of them fails: once may be by chance. */
async function twice(copy: Copy, command: readonly string[], seconds: number): Promise<Ended> {
  const first = await copy.run(command, seconds);
  return first.status === 0 || first.status === null ? first : copy.run(command, seconds);
}

/** The first test that failed, and its file; all files where the error is outside of any. */
function failed(output: string, files: readonly string[]): Pick<Verdict, "by" | "files"> {
  const by = /^ *FAIL +(.*)$/m.exec(output)?.[1];
  if (by === undefined) return { by: "an error outside of any test", files };
  return { by, files: files.filter((file) => by.includes(file)) };
}

function vitest(tests: readonly string[]): string[] {
  return ["vitest", "run", ...tests, "--bail=1", "--maxWorkers=1", "--reporter=dot"];
}
