import { useEffect, useState } from "preact/hooks";
import type { PageProblem } from "../../../wire.ts";

type Code = PageProblem["code"];

/** Whoever shows a failure, and takes it back once it is settled. */
const shown = new Set<(codes: readonly Code[]) => void>();

/** Takes failures of these kinds back, wherever they are shown. */
export function settle(...codes: readonly Code[]): void {
  for (const takeBack of shown) takeBack(codes);
}

/** What went wrong with something, until that is settled. */
export function useProblem(): [PageProblem | undefined, (problem: PageProblem | undefined) => void] {
  const [problem, setProblem] = useState<PageProblem>();
  useEffect(() => {
    const takeBack = (codes: readonly Code[]) =>
      setProblem((now) => (now && codes.includes(now.code) ? undefined : now));
    shown.add(takeBack);
    return () => {
      shown.delete(takeBack);
    };
  }, []);
  return [problem, setProblem];
}
