import { useState } from "preact/hooks";
import type { PageProblem } from "../../../wire.ts";
import { problemOf } from "../../src/state/api.ts";
import { useOnce } from "../../src/state/once.ts";

/** Runs one thing at a time, and keeps why it failed until the next. */
export function useTask() {
  const { busy, once } = useOnce();
  const [problem, setProblem] = useState<PageProblem>();
  const run = (task: () => Promise<void>) =>
    void once(async () => {
      setProblem(undefined);
      await task().catch((error: unknown) => setProblem(problemOf(error)));
    });
  return { busy, problem, run };
}
