import { useState } from "preact/hooks";
import type { Translate } from "../../../../src/common/i18n.ts";
import type { SetupState } from "../../../../src/seam/surface/setup.ts";

/** What is in force, and the file that would do the same. */
export function Done({ say, state }: { say: Translate; state: SetupState }) {
  const [isCopied, setIsCopied] = useState(false);
  const { env, unused, inForce } = state;
  return (
    <section class="setup-card">
      <h2>{say("setup.step.done")}</h2>
      <p>{say(env === "" ? "setup.done.nothing" : `setup.done.${inForce}`)}</p>
      {unused.map(({ setting, said }) => (
        <p key={setting} class="fault">
          <code>{setting}</code>: {say(said.key, said.params)}
        </p>
      ))}
      {env !== "" && (
        <>
          <p>{say("setup.env.intro")}</p>
          <pre class="setup-env">{env}</pre>
          <div class="setup-buttons">
            <button
              type="button"
              class="button"
              onClick={() => void navigator.clipboard.writeText(env).then(() => setIsCopied(true))}
            >
              {say(isCopied ? "setup.env.copied" : "setup.env.copy")}
            </button>
          </div>
        </>
      )}
      <a class="button primary" href="/">
        {say("setup.done.open")}
      </a>
    </section>
  );
}
