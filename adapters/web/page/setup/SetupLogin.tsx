import { useRef } from "preact/hooks";
import { hasMessage, type Translate } from "../../../../src/common/i18n.ts";
import type { PageProblem } from "../../wire.ts";

/** Says why there is nothing to see, and asks for the login token where that is why. */
export function SetupLogin(props: {
  say: Translate;
  problem: PageProblem;
  /** @param token undefined: just again */
  onToken: (token: string | undefined) => void;
}) {
  const { say, problem, onToken } = props;
  const { code, params } = problem;
  const box = useRef<HTMLInputElement>(null);
  const asked = code.startsWith("login_");
  const key = [`page.refused.${code}`, `error.${code}`].find(hasMessage) ?? "error.internal";
  return (
    <form
      class="setup-card"
      onSubmit={(event) => {
        event.preventDefault();
        onToken(box.current?.value.trim());
      }}
    >
      <p role="alert">{say(key, params)}</p>
      {asked && (
        <label class="field">
          <span class="field-label">{say("page.login.token")}</span>
          <input ref={box} type="password" autocomplete="off" required />
        </label>
      )}
      <button class="button primary" type="submit">
        {say(asked ? "page.login.submit" : "page.reload")}
      </button>
    </form>
  );
}
