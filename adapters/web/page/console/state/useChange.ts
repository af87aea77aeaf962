import { useState } from "preact/hooks";
import type { MessageKey } from "../../../../../src/common/i18n.ts";
import { useTask } from "./useTask.ts";

/**
 * Changes something that is shown, one thing at a time, and has it shown anew: also where it came to nothing, because somebody else
 * was faster.
 */
export function useChange(onChanged: () => void) {
  const { busy, problem, run } = useTask();
  const [done, setDone] = useState<MessageKey>();
  /** @param said where it is done; left out: that it is, and that the audit has it */
  const change = (work: () => Promise<unknown>, said: MessageKey = "console.done") =>
    run(async () => {
      setDone(undefined);
      try {
        await work();
        setDone(said);
      } finally {
        onChanged();
      }
    });
  return { busy, change, outcome: { problem, done } };
}
