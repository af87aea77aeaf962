import type { PageMessage } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { FileCard } from "./FileCard.tsx";
import { FormCard } from "./FormCard.tsx";
import { MenuCard } from "./MenuCard.tsx";
import { NoticeCard } from "./NoticeCard.tsx";
import { ProblemCard } from "./ProblemCard.tsx";
import { ProgressCard } from "./ProgressCard.tsx";
import { RequestCard } from "./RequestCard.tsx";
import { ResultCard } from "./ResultCard.tsx";

/** One message of the conversation. */
export function Bubble({ message, fresh }: { message: PageMessage; fresh: boolean }) {
  const { say, locale } = useChat();
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    message.at,
  );
  return (
    <li class={`message from-${message.from}`} data-kind={message.body.kind}>
      <article class="bubble" aria-label={say(`page.from.${message.from}`)} title={time}>
        <Content message={message} fresh={fresh} />
      </article>
    </li>
  );
}

function Content({ message: { id, body }, fresh }: { message: PageMessage; fresh: boolean }) {
  switch (body.kind) {
    case "request":
      return <RequestCard request={body} />;
    case "form":
      return <FormCard message={id} form={body.form} fresh={fresh} />;
    case "file":
      return <FileCard view={body} />;
    case "notice":
      return <NoticeCard view={body} />;
    case "progress":
      return <ProgressCard view={body} />;
    case "result":
      return <ResultCard view={body} fresh={fresh} />;
    case "menu":
      return <MenuCard view={body} />;
    case "problem":
      return <ProblemCard view={body} />;
    default:
      return body satisfies never;
  }
}
