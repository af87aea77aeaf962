import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { LOCALES, type Locale } from "../../../../src/common/i18n.ts";
import type { SetupState } from "../../../../src/seam/surface/setup.ts";
import type { PageProblem } from "../../wire.ts";
import logo from "../icon.svg";
import { browserLocale, useLanguage, useLocale } from "../src/state/language.ts";
import { takeKey } from "../src/state/keys.ts";
import { API, SetupRefused } from "./api.ts";
import { SetupLogin } from "./SetupLogin.tsx";
import { Wizard } from "./Wizard.tsx";

/** How long the page waits before it asks again whether what was saved is in force, in milliseconds. */
const AGAIN_MS = 400;

/** How often it asks again where Reelay does not answer: what is opened anew may cut an answer off. */
const TRIES = 10;

const pause = () => new Promise((done) => setTimeout(done, AGAIN_MS));

/** The page that sets Reelay up: the login where one is needed, else the steps. */
export function SetupPage() {
  const [chosen, setLocale] = useLocale();
  const language = useLanguage(chosen ?? browserLocale() ?? "en");
  const [state, setState] = useState<SetupState>();
  const [problem, setProblem] = useState<PageProblem>();

  async function load(before?: () => Promise<void>, tries = TRIES): Promise<void> {
    try {
      await before?.();
      setState(await API.state());
      setProblem(undefined);
    } catch (error) {
      const why = error instanceof SetupRefused ? error.problem : ({ code: "internal", params: {} } as const);
      // It is being opened anew, perhaps: what was entered elsewhere on the page stays meanwhile.
      if (why.code !== "asked_lost" || !state || tries === 0) setProblem(why);
      else await pause().then(() => load(before, tries - 1));
    }
  }

  useEffect(() => {
    const key = takeKey();
    void load(key && "token" in key ? () => API.login(key.token) : undefined);
  }, []);
  // It is opened anew meanwhile, and answers once it is.
  useEffect(() => {
    if (state?.inForce !== "soon") return undefined;
    const timer = setTimeout(() => void load(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  useLayoutEffect(() => {
    if (language) document.documentElement.lang = language.locale;
  }, [language]);

  if (!language || (!state && !problem)) return <p class="opening" />;
  const { say, locale } = language;
  return (
    <>
      <header class="setup-top">
        <a class="brand" href="/">
          <img src={logo} alt="" width="32" height="32" />
          Reelay
        </a>
        <select
          class="language"
          aria-label={say("page.language")}
          value={locale}
          onChange={(event) => setLocale(event.currentTarget.value as Locale)}
        >
          {LOCALES.map((known) => (
            <option key={known} value={known} lang={known}>
              {say(`choice.locale.${known}`)}
            </option>
          ))}
        </select>
      </header>
      <main class="setup">
        <h1>{say("setup.title")}</h1>
        {problem && (
          <SetupLogin
            say={say}
            problem={problem}
            onToken={(token) => void load(token === undefined ? undefined : () => API.login(token))}
          />
        )}
        {!problem && state && <Wizard say={say} state={state} onChanged={load} />}
      </main>
    </>
  );
}
