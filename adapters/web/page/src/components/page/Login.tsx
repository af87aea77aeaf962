import { useRef } from "preact/hooks";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../../wire.ts";
import type { PageApi } from "../../state/api.ts";
import { DiscordButton } from "./DiscordButton.tsx";
import { problemText } from "../../view/sentences.ts";

/** Says why nobody is in, with a way on; of whoever has the terminal it asks for the login token, which `npx reelay link` prints. */
export function Login(props: {
  say: Translate;
  api: PageApi;
  problem: PageProblem;
  onProblem: (problem: PageProblem) => void;
  onToken: (token: string) => void;
}) {
  const { say, problem, onToken } = props;
  const box = useRef<HTMLInputElement>(null);
  const asked = problem.code.startsWith("login_");
  return (
    <main class="login">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (box.current) onToken(box.current.value.trim());
        }}
      >
        <h1>Reelay</h1>
        <p role="alert">{problemText(say, problem)}</p>
        {asked && (
          <label class="field">
            <span class="field-label">{say("page.login.token")}</span>
            <input ref={box} type="password" autocomplete="off" required />
          </label>
        )}
        {problem.code.startsWith("sign_in_") && <DiscordButton {...props} />}
        <button
          class={asked ? "button primary" : "button"}
          type={asked ? "submit" : "button"}
          onClick={asked ? undefined : reload}
        >
          {say(asked ? "page.login.submit" : "page.reload")}
        </button>
      </form>
    </main>
  );
}

function reload() {
  location.reload();
}
