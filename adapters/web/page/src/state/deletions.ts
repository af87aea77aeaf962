import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** How long a deletion may be undone, in milliseconds. Until then nothing was asked of the server, so nothing is half gone. */
export const UNDO_MS = 8000;

/** What becomes of something whose deletion was pressed, by the token of the button that deletes it. */
type Stage = "waiting" | "going" | "gone";

/** Deletions that can be undone for a moment. */
export interface Deletions {
  stageOf(token: string): Stage | undefined;
  begin(token: string): void;
  undo(token: string): void;
}

/**
 * Deletions that are put off for a moment. Who closes or leaves the page before has not deleted anything: only a press that
 * was there to be undone counts.
 * @param remove asks the server to delete; resolves with whether it did
 */
export function useDeletions(remove: (token: string) => Promise<boolean>): Deletions {
  const [stages, setStages] = useState<ReadonlyMap<string, Stage>>(new Map());
  const latest = useRef(remove);
  latest.current = remove;
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  function put(token: string, stage: Stage | undefined) {
    setStages((before) => {
      const after = new Map(before);
      if (stage) after.set(token, stage);
      else after.delete(token);
      return after;
    });
  }

  function undo(token: string) {
    clearTimeout(timers.current.get(token));
    timers.current.delete(token);
    put(token, undefined);
  }

  useEffect(() => {
    // A browser may keep the page aside and bring it back later: what was pressed then is over.
    const leave = () => {
      for (const token of timers.current.keys()) undo(token);
    };
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);

  async function carryOut(token: string) {
    timers.current.delete(token);
    put(token, "going");
    put(token, (await latest.current(token)) ? "gone" : undefined);
  }

  function begin(token: string) {
    put(token, "waiting");
    const timer = setTimeout(() => void carryOut(token), UNDO_MS);
    timers.current.set(token, timer);
  }

  return useMemo(() => ({ stageOf: (token) => stages.get(token), begin, undo }), [stages]);
}
