import { useEffect, useState } from "preact/hooks";
import type { PageProblem } from "../../../wire.ts";
import { problemOf } from "../../src/state/api.ts";

/**
 * Loads something, and again whenever what it depends on changes: what was loaded for something else before is not shown.
 * @returns undefined values until it is there; what was there before stays while it is loaded again
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): { readonly value: T | undefined; readonly problem: PageProblem | undefined } {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState<PageProblem>();
  useEffect(() => {
    let stays = true;
    setProblem(undefined);
    load().then(
      (loaded) => stays && setValue(() => loaded),
      (error: unknown) => stays && setProblem(problemOf(error)),
    );
    return () => {
      stays = false;
    };
  }, inputs);
  return { value, problem };
}
