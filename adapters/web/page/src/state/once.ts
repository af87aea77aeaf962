import { useRef, useState } from "preact/hooks";

/**
 * Lets one task run at a time: what is begun meanwhile is the same press once more. It is known at once, where state is
 * known only when everything was drawn anew, so that several presses in one tick begin one task.
 */
export function useOnce() {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  async function once(task: () => Promise<void>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await task();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { busy, once };
}
