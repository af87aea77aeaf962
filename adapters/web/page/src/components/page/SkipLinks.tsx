import { useChat } from "../../state/context.ts";

/** What comes first by keyboard: past all messages, to where something is asked for, or to the newest of them. */
export function SkipLinks() {
  const { say } = useChat();
  return (
    <div class="skip-links">
      <button type="button" class="button" onClick={() => focusOn(".composer", "textarea", "button")}>
        {say("page.skip.composer")}
      </button>
      <button type="button" class="button" onClick={() => focusOn(".message:last-child", "article")}>
        {say("page.skip.newest")}
      </button>
    </div>
  );
}

/** @param parts what is looked for there: the first kind that is shown, as a low window folds the composer up */
function focusOn(place: string, ...parts: readonly string[]) {
  const found = parts.map((part) => document.querySelector<HTMLElement>(`${place} ${part}`));
  found.find((element) => element?.checkVisibility())?.focus();
}
