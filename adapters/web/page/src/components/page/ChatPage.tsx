import { useEffect, useMemo, useState } from "preact/hooks";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { NoticeView } from "../../../../../../src/seam/views.ts";
import type { AsideBody, Session } from "../../../../wire.ts";
import { problemOf, type PageApi } from "../../state/api.ts";
import { useAttention } from "../../state/attention.ts";
import { useBalance } from "../../state/balance.ts";
import { ChatContext, type Chat } from "../../state/context.ts";
import { useConversation } from "../../state/conversation.ts";
import { useDeletions } from "../../state/deletions.ts";
import { useDraft } from "../../state/draft.ts";
import type { Look } from "../../state/preferences.ts";
import { useProblem } from "../../state/problem.ts";
import { Announcer } from "./Announcer.tsx";
import { Composer } from "./Composer.tsx";
import { Conversation } from "./Conversation.tsx";
import { Header } from "./Header.tsx";
import { SkipLinks } from "./SkipLinks.tsx";
import { Toast } from "../base/Toast.tsx";
import { Told } from "./Told.tsx";

/** The kinds of messages that may tell of another balance. */
const NEWS: ReadonlySet<string> = new Set(["result", "problem", "notice"]);

/** Whether something that was to be done takes a further press. */
const asksFurther = (answer: AsideBody) => answer.kind === "notice" && (answer.actions ?? []).length > 0;

/** The chat: header, conversation, composer. */
export function ChatPage(props: {
  session: Session;
  api: PageApi;
  say: Translate;
  look: Look;
  onForgotten: Chat["onForgotten"];
}) {
  const { session, api, say, look, onForgotten } = props;
  const operations = useMemo(() => session.commands.filter(({ kind }) => kind === "operation"), [session]);
  const [draft, setDraft] = useDraft(session.person, operations);
  const [problem, setProblem] = useProblem();
  const [round, setRound] = useState(0);
  const renew = () => setRound((before) => before + 1);
  // A stream does not say why there is none: whoever is out hears it from this.
  const stillIn = () => void api.session().catch(() => {});
  const { messages, connected } = useConversation(renew, stillIn);
  const [told, setTold] = useState<NoticeView>();

  async function remove(token: string): Promise<boolean> {
    try {
      const answers = await api.actAside(token);
      for (const answer of answers) {
        if (answer.kind === "problem") setProblem(answer.problem);
        if (answer.kind === "notice") setTold(answer);
      }
      return !answers.some((answer) => answer.kind === "problem" || asksFurther(answer));
    } catch (error) {
      setProblem(problemOf(error));
      return false;
    }
  }
  const deletions = useDeletions(remove);

  const chat = useMemo<Chat>(
    () => ({
      api,
      session,
      operations,
      locale: look.locale,
      say,
      report: setProblem,
      act: (token) => {
        setTold(undefined);
        return api.act(token);
      },
      onForgotten,
      deletions,
      renew,
      compose: setDraft,
      async attempt(task) {
        try {
          setProblem(undefined);
          await task();
        } catch (error) {
          setProblem(problemOf(error));
        }
      },
    }),
    [api, session, operations, look.locale, say, setDraft, deletions],
  );

  useAttention(messages, chat);

  // A result, a failure, or news of another key: what the tokens are may have changed.
  const news = messages?.filter(({ body }) => NEWS.has(body.kind)).length;
  const requests = messages?.flatMap(({ body }) => (body.kind === "request" ? [body] : [])) ?? [];
  const occasion = `${news} ${round}`;
  const [balance, setBalance] = useBalance(api, occasion);
  // Meanwhile they may have made something in a chat, or bought tokens.
  useEffect(() => {
    const back = () => document.hidden || renew();
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, []);
  return (
    <ChatContext.Provider value={chat}>
      <div class="chat">
        <SkipLinks />
        <Header look={look} balance={balance} connected={connected} />
        <Conversation messages={messages} />
        <Announcer messages={messages} />
        <footer class="dock">
          {problem && <Toast problem={problem} onClose={() => setProblem(undefined)} />}
          {told !== undefined && <Told notice={told} onClose={() => setTold(undefined)} />}
          <Composer
            draft={draft}
            onDraft={setDraft}
            requests={requests}
            occasion={occasion}
            onBalance={setBalance}
          />
        </footer>
      </div>
    </ChatContext.Provider>
  );
}
