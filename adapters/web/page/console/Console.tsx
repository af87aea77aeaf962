import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { PageProblem } from "../../wire.ts";
import type { OperatorAct } from "../../../../src/seam/access/operators.ts";
import type { ConsoleSession } from "../../console/wire.ts";
import { Login } from "../src/components/page/Login.tsx";
import { createApi, problemOf } from "../src/state/api.ts";
import { type Ask, askAt } from "../src/state/ask.ts";
import { takeKey } from "../src/state/keys.ts";
import { browserLocale, useLanguage, useLocale } from "../src/state/language.ts";
import { useTheme } from "../src/state/preferences.ts";
import { CONSOLE_API, type Desk, DeskContext } from "./state/context.ts";
import { Frame } from "./Frame.tsx";

/** Says of what was to be read or done that no answer came: there is no conversation here that could tell what became of it. */
const readingAt =
  (at: Ask): Ask =>
  (path, init, unanswered = init?.method === undefined ? "read_lost" : "change_lost") =>
    at(path, init, unanswered);

/** The console of those who run Reelay: the login where one is needed, else its sections. */
export function Console() {
  const [chosen, setLocale] = useLocale();
  const [theme, setTheme] = useTheme();
  const [session, setSession] = useState<ConsoleSession>();
  const [problem, setProblem] = useState<PageProblem>();
  const ask = useMemo(() => readingAt(askAt(CONSOLE_API, chosen, leave)), [chosen]);
  const language = useLanguage(chosen ?? session?.locale ?? (problem && (browserLocale() ?? "en")));

  /** Nothing stays to be read of what whoever is out had before them. */
  function leave(why: PageProblem) {
    setSession(undefined);
    setProblem(why);
  }
  const stillIn = () => void ask("session").catch(() => {});
  async function open(come?: () => Promise<void>) {
    try {
      await come?.();
      setSession(await ask<ConsoleSession>("session", {}, "asked_lost"));
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
  function comeIn() {
    const key = takeKey();
    if (!key) return false;
    // A link asks whoever comes for the first time what they are called, which is the page's.
    if ("link" in key) location.replace(`/#${key.isNew ? "join" : "enter"}=${key.link}`);
    else if ("token" in key) void open(() => createApi(chosen).login(key.token));
    return true;
  }
  useEffect(() => {
    if (!comeIn()) void open();
    // The link may also be opened where the console already is.
    addEventListener("hashchange", comeIn);
    return () => removeEventListener("hashchange", comeIn);
  }, []);
  // Another tab may have logged out meanwhile.
  useEffect(() => {
    if (!session) return undefined;
    const look = () => document.hidden || stillIn();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [session, ask]);
  useLayoutEffect(() => {
    if (!language) return;
    document.documentElement.lang = language.locale;
    document.title = `Reelay · ${language.say("console.title")}`;
  }, [language]);

  if (!language) return <p class="opening" />;
  const { say, locale } = language;
  if (session) {
    const may = (act: OperatorAct) => session.acts.includes(act);
    const desk: Desk = { ask, onOut: leave, stillIn, session, locale, say, may };
    return (
      <DeskContext.Provider value={desk}>
        <Frame look={{ locale, setLocale, theme, setTheme }} />
      </DeskContext.Provider>
    );
  }
  if (!problem) return <p class="opening">{say("page.opening")}</p>;
  const api = createApi(chosen);
  const onToken = (token: string) => void open(() => api.login(token));
  return <Login say={say} api={api} problem={problem} onProblem={setProblem} onToken={onToken} />;
}
