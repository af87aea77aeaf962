import { addressIn } from "./address.ts";
import { useEffect, useRef } from "preact/hooks";

/**
 * Hears of files that are dropped anywhere on the page or pasted, where no place took them for itself. While a dialog
 * is open, what is behind it takes nothing.
 * @param wanted which of them
 */
export function useGivenFiles(wanted: (file: File) => boolean, take: (files: readonly File[]) => void) {
  const latest = useRef({ wanted, take });
  latest.current = { wanted, take };
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const hear = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])].filter(latest.current.wanted);
      if (files.length === 0 || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      latest.current.take(files);
    };
    addEventListener("drop", (event) => hear(event, event.dataTransfer), { signal });
    addEventListener("paste", (event) => hear(event, event.clipboardData), { signal });
    return () => listeners.abort();
  }, []);
}

/** Hears of an address that is dropped anywhere but where somebody writes, such as that of a picture on another page. */
export function useGivenAddress(take: (address: string) => void) {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const hear = (event: DragEvent) => {
      const { dataTransfer: data, target } = event;
      const writes = target instanceof Element && target.closest("textarea, input:not([type=file])");
      if (!data || data.files.length > 0 || writes || document.querySelector("dialog:modal")) return;
      const address = addressIn(data);
      if (address === undefined) return;
      event.preventDefault();
      latest.current(address);
    };
    addEventListener("drop", hear);
    return () => removeEventListener("drop", hear);
  }, []);
}
