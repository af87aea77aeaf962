import type { Translate } from "../../../../../../src/common/i18n.ts";

/** Asks before a link signs somebody in: it could be somebody else's, who wants to see what is done there. */
export function SignIn({ say, onSignIn }: { say: Translate; onSignIn: () => void }) {
  return (
    <main class="login">
      <div class="card">
        <h1>Reelay</h1>
        <p>{say("page.sign_in.ask")}</p>
        <button class="button primary" type="button" onClick={onSignIn}>
          {say("page.sign_in.submit")}
        </button>
      </div>
    </main>
  );
}
