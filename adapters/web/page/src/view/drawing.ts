import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/**
 * Does something as soon as what was set is drawn, before the browser does anything else: a timer may come after the next
 * keys of a hurried hand, and would take the focus away from where they led.
 */
export function useAfterDrawing(): (work: () => void) => void {
  const [work, setWork] = useState<() => void>();
  useLayoutEffect(() => work?.(), [work]);
  return useCallback((next) => setWork(() => next), []);
}
