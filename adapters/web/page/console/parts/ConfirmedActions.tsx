import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useDesk } from "../state/context.ts";

/** Something that a button does. */
export interface ConfirmedAction {
  readonly id: string;
  readonly label: string;
  /** What comes of it, said before it is done; left out: one press does it. */
  readonly asks?: string | undefined;
  /** Is run before that is said, and calls back where it may be. */
  readonly check?: (onGood: () => void) => void;
  /** Whether something is gone afterwards. */
  readonly destroys?: boolean;
  /** Whether Enter in a field of the form around them presses it. */
  readonly onEnter?: boolean;
  readonly onDo: () => void;
}

/** Buttons in a row, one at least; what destroys says first what comes of it, and is done at a second press. @param name what they are about */
export function ConfirmedActions({ name, actions }: { name: string; actions: readonly ConfirmedAction[] }) {
  const { say } = useDesk();
  const [asking, setAsking] = useState<string>();
  const group = useRef<HTMLDivElement>(null);
  const asked = actions.find(({ id }) => id === asking);
  useLayoutEffect(
    () => () => {
      // What they were about is gone: whoever was there goes on where the section begins.
      if (group.current?.contains(document.activeElement))
        document.querySelector("h1")?.focus({ preventScroll: true });
    },
    [],
  );

  function press({ id, asks, check, onDo }: ConfirmedAction) {
    // A second press of a double click lands here, too: only Cancel takes away what was said, and nothing is asked for it once more.
    if (check && asking === id) return;
    setAsking(asks === undefined || check ? undefined : id);
    if (asks === undefined) onDo();
    else check?.(() => setAsking(id));
  }

  function confirm({ onDo }: ConfirmedAction) {
    setAsking(undefined);
    // The button may be gone, too, as soon as it is done.
    group.current?.focus();
    onDo();
  }

  function cancel({ id }: ConfirmedAction) {
    setAsking(undefined);
    group.current?.querySelector<HTMLElement>(`[data-action="${id}"]`)?.focus();
  }

  return (
    <div class="confirmed-actions" ref={group} role="group" aria-label={name} tabIndex={-1}>
      <div class="actions">
        {actions.map((action) => (
          <button
            key={action.id}
            type={action.onEnter ? "submit" : "button"}
            class={action.destroys ? "button danger" : "button"}
            data-action={action.id}
            aria-expanded={action.asks === undefined ? undefined : asking === action.id}
            onClick={() => press(action)}
          >
            {action.label}
          </button>
        ))}
      </div>
      {asked && (
        <div class="confirm" role="group" aria-label={asked.label}>
          <p>{asked.asks}</p>
          <div class="actions">
            <button type="button" class="button primary" onClick={() => confirm(asked)}>
              {say("console.confirm")}
            </button>
            <button type="button" class="button" onClick={() => cancel(asked)}>
              {say("page.cancel")}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
