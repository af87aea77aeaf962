import { useChat } from "../../state/context.ts";
import { Icon } from "../base/Icon.tsx";

/** Lets two pictures change places. */
export function SwapButton({ onSwap }: { onSwap: () => void }) {
  const { say } = useChat();
  return (
    <button
      type="button"
      class="icon-button swap"
      title={say("page.swap")}
      aria-label={say("page.swap")}
      onClick={onSwap}
    >
      <Icon name="swap" />
    </button>
  );
}
