import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import { Icon } from "./Icon.tsx";

/**
 * A native modal dialog: Escape and the cross close it, mostly a press beside it too, and focus goes back by itself.
 * A `canvas` is worked in up to its edge: there a press beside it means nothing.
 */
export function Dialog(props: {
  title: string;
  kind?: "wide" | "sheet" | "canvas" | "lightbox";
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { say } = useChat();
  const id = useId();
  const { kind = "plain" } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("[autofocus], input")?.focus();
    // Gone without being closed, it would leave the focus nowhere.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={id}
      onClose={props.onClose}
      onClick={(event) => {
        // The body fills the dialog: only its backdrop is the dialog itself.
        if (event.target === event.currentTarget && kind !== "canvas") event.currentTarget.close();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{props.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={say("page.close")}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
