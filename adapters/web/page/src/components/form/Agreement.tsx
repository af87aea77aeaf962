import type { StatementName } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";

/** What the button below answers, in the very words that are recorded. */
export function Agreement({ id, asked }: { id: string; asked: readonly StatementName[] }) {
  const { say, session } = useChat();
  if (asked.length === 0) return null;
  const lead = say("page.agree", { button: say("form.generate.agree") });
  return (
    // What may have to be scrolled can be reached by keyboard.
    <div class="agreement" id={id} role="group" aria-label={lead} tabIndex={0}>
      <p>{lead}</p>
      <ul>
        {asked.map((name) => (
          <li key={name}>
            {say(`statement.${name}`)}{" "}
            {name === "terms" && session.termsUrl !== undefined && (
              <a href={session.termsUrl} target="_blank" rel="noreferrer">
                {say("page.agree.terms")}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
