import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";

/** The buttons of a view, and what the page adds to them. */
export function Actions({
  actions = [],
  children,
}: {
  actions?: readonly Action[] | undefined;
  children?: ComponentChildren;
}) {
  return actions.length > 0 || children ? (
    <div class="actions">
      {actions.map((action) => (
        <ActionButton key={action.token} action={action} />
      ))}
      {children}
    </div>
  ) : null;
}

function ActionButton({ action }: { action: Action }) {
  const { api, attempt, say } = useChat();
  const [busy, setBusy] = useState(false);
  async function press() {
    setBusy(true);
    await attempt(() => api.act(action.token));
    setBusy(false);
  }
  return (
    <button type="button" class={`button ${action.style}`} disabled={busy} onClick={() => void press()}>
      {sayMessage(say, action.label)}
    </button>
  );
}
