import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { PageMessageBody, PageMessage } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { problemText } from "../../view/sentences.ts";
import { phaseText } from "../cards/ProgressCard.tsx";

/** Tells a screen reader what is new: each message, and of a job each phase, not each percent. */
export function Announcer({ messages }: { messages: readonly PageMessage[] | undefined }) {
  const { say } = useChat();
  const [text, setText] = useState("");
  const heard = useRef<Map<string, string>>(undefined);

  useEffect(() => {
    if (!messages) return;
    const said = new Map(messages.map(({ id, body }) => [id, textOf(say, body)]));
    const known = heard.current;
    heard.current = said;
    // The history is there to be read, not to be read out.
    if (!known) return;
    const news = [...said]
      .filter(([id, words]) => words && known.get(id) !== words)
      .map(([, words]) => words);
    if (news.length > 0) setText(news.join(" "));
  }, [messages]);

  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

/** What is read out of a message; nothing of what the person said. */
function textOf(say: Translate, body: PageMessageBody): string {
  switch (body.kind) {
    case "request":
      return "";
    case "form":
      return sayMessage(say, body.form.title);
    case "notice":
    case "file":
      return sayMessage(say, body.text);
    case "progress":
      return phaseText(say, body);
    case "result":
      return say("page.finished");
    case "menu":
      return sayMessage(say, body.title);
    case "problem":
      return problemText(say, body.problem);
    default:
      return body satisfies never;
  }
}
