import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { PageProblem, Session } from "../../wire.ts";
import { createApi, problemOf } from "./state/api.ts";
import { ChatPage } from "./components/page/ChatPage.tsx";
import { Login } from "./components/page/Login.tsx";
import { useLocale, useLanguage } from "./state/language.ts";
import { useTheme } from "./state/preferences.ts";

/** A link like `/#login=<token>` logs in; the token leaves the address bar before anything else happens. */
function takeToken(): string | undefined {
  const token = /^#login=(.+)$/.exec(location.hash)?.[1];
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

/** The page: the login where one is needed, else the chat. */
export function App() {
  const [chosen, setLocale] = useLocale();
  const [theme, setTheme] = useTheme();
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<PageProblem>();
  const api = useMemo(() => createApi(chosen), [chosen]);
  // Whoever chose none, and has a browser in none of ours, is told in the operator's.
  const language = useLanguage(chosen ?? session?.locale ?? (problem && "en"));

  async function open(token: string | undefined) {
    try {
      if (token) await api.login(token);
      setSession(await api.session());
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
  useEffect(() => {
    void open(takeToken());
    // The link may also be opened where the page already is.
    const onLink = () => {
      const token = takeToken();
      if (token) void open(token);
    };
    addEventListener("hashchange", onLink);
    return () => removeEventListener("hashchange", onLink);
  }, []);
  // With the words that are in it, not after them.
  useLayoutEffect(() => {
    if (language) document.documentElement.lang = language.locale;
  }, [language]);

  if (!language) return <p class="opening" />;
  const { say, locale } = language;
  const look = { locale, setLocale, theme, setTheme };
  if (session) return <ChatPage session={session} api={api} say={say} look={look} />;
  if (problem) return <Login say={say} problem={problem} onToken={(token) => void open(token)} />;
  return <p class="opening">{say("page.opening")}</p>;
}
