import { useRef, useState } from "preact/hooks";
import { useDesk } from "../state/context.ts";

/** A secret that nobody can look at again. @param about that, and what it is good for */
export function ShownOnce({ text, about }: { text: string; about: string }) {
  const { say } = useDesk();
  const [isCopied, setIsCopied] = useState(false);
  const secret = useRef<HTMLElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Without https there is no clipboard: it is marked, so that a key copies it.
      if (secret.current) getSelection()?.selectAllChildren(secret.current);
    }
  }

  return (
    <div class="confirm">
      <p role="status">{about}</p>
      <code class="secret" ref={secret}>
        {text}
      </code>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void copy()}>
          {say("console.copy")}
        </button>
        <span class="hint" role="status">
          {isCopied && say("console.copied")}
        </span>
      </div>
    </div>
  );
}
