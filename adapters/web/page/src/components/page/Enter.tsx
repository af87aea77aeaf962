import { useRef } from "preact/hooks";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../../wire.ts";
import type { OperatorLinkKey } from "../../state/api.ts";
import { problemText } from "../../view/sentences.ts";

/**
 * Lets one of those who run Reelay in by a link: whoever is invited says what they want to be called; whoever was here before is asked
 * first, as it could be somebody else's link.
 * @param problem why the last try came to nothing
 */
export function Enter(props: {
  say: Translate;
  given: OperatorLinkKey;
  problem: PageProblem | undefined;
  onEnter: (name: string | undefined) => void;
}) {
  const { say, given, problem, onEnter } = props;
  const box = useRef<HTMLInputElement>(null);
  return (
    <main class="login">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          onEnter(box.current?.value);
        }}
      >
        <h1>Reelay</h1>
        <p>{say(given.isNew ? "page.enter.join" : "page.enter.again")}</p>
        {problem && <p role="alert">{problemText(say, problem)}</p>}
        {given.isNew && (
          <label class="field">
            <span class="field-label">{say("page.enter.name")}</span>
            <input ref={box} type="text" autocomplete="nickname" maxLength={40} required />
          </label>
        )}
        <button class="button primary" type="submit">
          {say("page.enter.submit")}
        </button>
      </form>
    </main>
  );
}
