import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import { Icon } from "./Icon.tsx";

/** Hides something until somebody wants to see it: until then it is not even loaded. */
export function Cover({ children }: { children: ComponentChildren }) {
  const { say } = useChat();
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);

  function uncover() {
    setOpen(true);
    // The button is gone by then, so the focus goes on to what it showed.
    setTimeout(() => frame.current?.querySelector<HTMLElement>("button, video")?.focus());
  }

  return (
    <div ref={frame}>
      {open ? (
        children
      ) : (
        <button type="button" class="cover media" onClick={uncover}>
          <Icon name="covered" />
          {say("page.covered")}
        </button>
      )}
    </div>
  );
}
