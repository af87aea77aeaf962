import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useChat } from "../context.ts";
import { Icon } from "./Icon.tsx";

/** A native modal dialog: Escape, the cross and a press beside it close it, and focus goes back by itself. */
export function Dialog(props: {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { say } = useChat();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.wide ? "dialog wide" : "dialog"}
      aria-labelledby="dialog-title"
      onClose={props.onClose}
      onClick={(event) => {
        // The body fills the dialog: only its backdrop is the dialog itself.
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id="dialog-title">{props.title}</h2>
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
