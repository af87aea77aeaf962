import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { parseToken } from "../../../../../../src/seam/text/actions.ts";
import type { Action } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";
import { useOnce } from "../../state/once.ts";
import { useAfterDrawing } from "../../view/drawing.ts";
import { Deletion } from "./Deletion.tsx";

/**
 * The buttons of a view, and what the page adds to them. A button of the core's that would only ask whether to delete asks
 * right here instead.
 * @param about the name of what they are about
 */
export function Actions(props: {
  actions?: readonly Action[] | undefined;
  about?: string | undefined;
  children?: ComponentChildren;
}) {
  const { session, deletions } = useChat();
  const { actions = [], about, children } = props;
  const row = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState(false);
  const afterDrawing = useAfterDrawing();
  const asking = about === undefined ? undefined : actions.find((action) => deletes(action) !== undefined);
  const token = asking && deletes(asking);

  function deletes(action: Action): string | undefined {
    const { command, arg } = parseToken(action.token);
    const confirmed = session.buttons[command]?.confirms;
    return confirmed && action.style === "danger" ? `${confirmed}:${arg}` : undefined;
  }

  function begin(chosen: string) {
    setAsks(false);
    deletions.begin(chosen);
  }

  function keep(chosen: string) {
    setAsks(false);
    deletions.undo(chosen);
    afterDrawing(() => row.current?.querySelector<HTMLElement>(".danger")?.focus());
  }

  if (token !== undefined && about !== undefined && (asks || deletions.stageOf(token)))
    return <Deletion token={token} name={about} onBegin={() => begin(token)} onKeep={() => keep(token)} />;
  return actions.length > 0 || children ? (
    <div class="actions" ref={row}>
      {actions.map((action) => (
        <ActionButton
          key={action.token}
          action={action}
          onAsk={action === asking ? () => setAsks(true) : undefined}
        />
      ))}
      {children}
    </div>
  ) : null;
}

function ActionButton({ action, onAsk }: { action: Action; onAsk: (() => void) | undefined }) {
  const { act, attempt, say } = useChat();
  const { busy, once } = useOnce();
  const press = () => attempt(() => act(action.token));
  return (
    <button
      type="button"
      class={`button ${action.style}`}
      disabled={busy}
      onClick={onAsk ?? (() => void once(press))}
    >
      {sayMessage(say, action.label)}
    </button>
  );
}
