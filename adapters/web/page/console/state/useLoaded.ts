import { useEffect, useState } from "preact/hooks";
import type { PageProblem } from "../../../wire.ts";
import { problemOf } from "../../src/state/api.ts";
import { RECONNECT_MS } from "../../src/state/events.ts";

/**
 * Loads something, and again whenever what it depends on changes: what was loaded for something else before is not shown. Where no
 * answer comes (`read_lost`), it tries again until one does.
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
    let retry: ReturnType<typeof setTimeout>;
    async function look() {
      try {
        const loaded = await load();
        if (!stays) return;
        setProblem(undefined);
        setValue(() => loaded);
      } catch (error) {
        if (!stays) return;
        const why = problemOf(error);
        setProblem(why);
        if (why.code === "read_lost") retry = setTimeout(() => void look(), RECONNECT_MS);
      }
    }
    // That nothing answers is said until something does.
    setProblem((before) => (before?.code === "read_lost" ? before : undefined));
    void look();
    return () => {
      stays = false;
      clearTimeout(retry);
    };
  }, inputs);
  return { value, problem };
}
