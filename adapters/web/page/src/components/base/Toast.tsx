import type { PageProblem } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { problemText } from "../../view/sentences.ts";
import { Icon } from "./Icon.tsx";

/** A failure that belongs to no message: above the composer until it is dismissed. */
export function Toast({ problem, onClose }: { problem: PageProblem; onClose: () => void }) {
  const { say } = useChat();
  return (
    <div class="toast" role="alert">
      <Icon name="alert" />
      <p>{problemText(say, problem)}</p>
      <Close onClose={onClose} />
    </div>
  );
}

/** Puts it away. */
export function Close({ onClose }: { onClose: () => void }) {
  const { say } = useChat();
  return (
    <button type="button" class="icon-button" aria-label={say("page.close")} onClick={onClose}>
      <Icon name="close" />
    </button>
  );
}
