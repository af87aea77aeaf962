import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import { useAfterDrawing } from "../../view/drawing.ts";
import { Icon } from "./Icon.tsx";

/** Hides something until somebody wants to see it: until then it is not even loaded. */
export function Cover({ children }: { children: ComponentChildren }) {
  const { say } = useChat();
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const afterDrawing = useAfterDrawing();

  function uncover() {
    setOpen(true);
    // The button is gone by then, so the focus goes on to what it showed.
    afterDrawing(() => frame.current?.querySelector<HTMLElement>("button, video")?.focus());
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
