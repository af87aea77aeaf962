import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { NoticeView } from "../../../../src/seam/views.ts";
import type { PageProblem, Session } from "../../wire.ts";
import { createApi, type OperatorLinkKey, problemOf, type SignInKey } from "./state/api.ts";
import { ChatPage } from "./components/page/ChatPage.tsx";
import { Enter } from "./components/page/Enter.tsx";
import { Forgotten } from "./components/page/Forgotten.tsx";
import { Login } from "./components/page/Login.tsx";
import { SignIn } from "./components/page/SignIn.tsx";
import { browserLocale, useLocale, useLanguage } from "./state/language.ts";
import { isInTelegram, takeKey } from "./state/keys.ts";
import { useTheme } from "./state/preferences.ts";

/** The page: the login where one is needed, else the chat. */
export function App() {
  const [chosen, setLocale] = useLocale();
  const [theme, setTheme] = useTheme();
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<PageProblem>();
  const [asked, setAsked] = useState<SignInKey>();
  const [link, setLink] = useState<OperatorLinkKey>();
  const [forgotten, setForgotten] = useState<NoticeView>();
  const api = useMemo(() => createApi(chosen, leave), [chosen]);
  // Whoever chose none, and has a browser in none of ours, is told in the operator's.
  const language = useLanguage(
    chosen ?? session?.locale ?? ((problem ?? asked ?? link) && (browserLocale() ?? "en")),
  );

  /** Nothing stays to be read of what whoever is out had before them. */
  function leave(why: PageProblem) {
    setSession(undefined);
    setProblem(why);
  }
  /** What is being written is theirs, too. */
  function forget(said: NoticeView) {
    sessionStorage.clear();
    setForgotten(said);
  }
  async function open(come?: () => Promise<void>) {
    try {
      await come?.();
      setSession(await api.session());
    } catch (error) {
      const refused = problemOf(error);
      // Whoever makes nothing here has the console.
      if (refused.code === "role_may_not") location.replace("console");
      else setProblem(refused);
    }
  }
  const logIn = (token: string) => open(() => api.login(token));
  function signIn(key: SignInKey) {
    setAsked(undefined);
    void open(() => api.signIn(key));
  }
  /** A name that is none, or taken, is asked for again: the link stays good. */
  async function enter({ link: token }: OperatorLinkKey, name: string | undefined) {
    try {
      await api.enter(token, name);
    } catch (error) {
      const refused = problemOf(error);
      setProblem(refused);
      if (refused.code === "link_over") setLink(undefined);
      return;
    }
    setLink(undefined);
    setProblem(undefined);
    await open();
  }
  /** Says at once of a link that it is over: it is no use to be called something. Whatever else there is to say has time. */
  async function tellIfOver(key: OperatorLinkKey) {
    try {
      await api.enter(key.link, "");
    } catch (error) {
      const refused = problemOf(error);
      if (refused.code !== "link_over") return;
      setProblem(refused);
      setLink((now) => (now === key ? undefined : now));
    }
  }
  /** With what stands in the address; whoever only follows a link is asked first, as they may have begun nothing. */
  function comeIn() {
    const key = takeKey();
    if (!key) return false;
    if ("token" in key) void logIn(key.token);
    else if ("link" in key) {
      setLink(key);
      void tellIfOver(key);
    } else if ("query" in key || ("initData" in key && isInTelegram())) signIn(key);
    else setAsked(key);
    return true;
  }
  useEffect(() => {
    if (!comeIn()) void open();
    // The link may also be opened where the page already is.
    addEventListener("hashchange", comeIn);
    return () => removeEventListener("hashchange", comeIn);
  }, []);
  // With the words that are in it, not after them.
  useLayoutEffect(() => {
    if (language) document.documentElement.lang = language.locale;
  }, [language]);

  if (!language) return <p class="opening" />;
  const { say, locale } = language;
  const look = { locale, setLocale, theme, setTheme };
  if (forgotten) return <Forgotten say={say} view={forgotten} />;
  if (link)
    return <Enter say={say} given={link} problem={problem} onEnter={(name) => void enter(link, name)} />;
  if (asked) return <SignIn say={say} onSignIn={() => signIn(asked)} />;
  if (session)
    return (
      <ChatPage key={session.person} session={session} api={api} say={say} look={look} onForgotten={forget} />
    );
  if (problem) {
    const onToken = (token: string) => void logIn(token);
    return <Login say={say} api={api} problem={problem} onProblem={setProblem} onToken={onToken} />;
  }
  return <p class="opening">{say("page.opening")}</p>;
}
