import { useEffect, useState } from "preact/hooks";
import { useDesk } from "../state/context.ts";

/**
 * Looks for something in a section.
 * @param sought what is looked at now
 * @param onSeek is given something else to look for
 * @param onAgain the same is sought once more
 */
export function Finder(props: {
  sought: string;
  hint: string;
  onSeek: (text: string) => void;
  onAgain: () => void;
}) {
  const { sought, hint, onSeek, onAgain } = props;
  const { say } = useDesk();
  const [text, setText] = useState(sought);
  useEffect(() => setText(sought), [sought]);
  return (
    <form
      class="finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === sought) onAgain();
        else onSeek(text.trim());
      }}
    >
      <label class="field">
        <span class="field-label">{say("console.find")}</span>
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <span class="hint">{hint}</span>
      </label>
      <button type="submit" class="button primary">
        {say("console.find.submit")}
      </button>
    </form>
  );
}
