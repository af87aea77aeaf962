import type { PageMessage } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { timeText } from "../../view/names.ts";
import { FileCard } from "./FileCard.tsx";
import { FormCard } from "./FormCard.tsx";
import { MenuCard } from "./MenuCard.tsx";
import { NoticeCard } from "./NoticeCard.tsx";
import { ProblemCard } from "./ProblemCard.tsx";
import { ProgressCard } from "./ProgressCard.tsx";
import { RequestCard } from "./RequestCard.tsx";
import { ResultCard } from "./ResultCard.tsx";

/** What a message shows, and when it came. */
export function Bubble({ message, fresh }: { message: PageMessage; fresh: boolean }) {
  const { say, locale } = useChat();
  const time = timeText(locale, message.at);
  return (
    <article class="bubble" aria-label={`${say(`page.from.${message.from}`)}, ${time}`} tabIndex={-1}>
      <MessageContent message={message} fresh={fresh} />
      <time class="time" dateTime={new Date(message.at).toISOString()}>
        {time}
      </time>
    </article>
  );
}

/** What a message says. */
export function MessageContent(props: { message: Pick<PageMessage, "id" | "body">; fresh: boolean }) {
  const { id, body } = props.message;
  const { fresh } = props;
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
