import { useEffect, useState } from "preact/hooks";

/** What has a place of its own beside the conversation, under the address `#<name>`. */
export const PANELS = ["account", "privacy", "help", "devices"] as const;
export type Panel = (typeof PANELS)[number];

const current = (): Panel | undefined => PANELS.find((name) => location.hash === `#${name}`);

/** The panel that the address names. Whoever goes back leaves it; whoever leaves it goes back. */
export function usePanel() {
  const [panel, setPanel] = useState(current);
  useEffect(() => {
    const hear = () => setPanel(current());
    addEventListener("popstate", hear);
    return () => removeEventListener("popstate", hear);
  }, []);

  function open(name: Panel) {
    history.pushState({ panel: name }, "", `#${name}`);
    setPanel(name);
  }

  function close(name: Panel) {
    // Left by going back: the address is another one already.
    if (current() !== name) return;
    const { state } = history as { state: { panel?: unknown } | null };
    if (state?.panel === name) return history.back();
    history.replaceState(null, "", location.pathname);
    setPanel(undefined);
  }
  return { panel, open, close };
}
