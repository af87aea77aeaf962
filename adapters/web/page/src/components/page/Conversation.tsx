import { useRef } from "preact/hooks";
import type { PageMessage } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { useNearness } from "../../view/near.ts";
import { useStickyScroll } from "../../view/scroll.ts";
import { Message } from "../cards/Message.tsx";
import { Icon } from "../base/Icon.tsx";
import { Welcome } from "./Welcome.tsx";

/** As many messages as a window shows at its end: they are there with the first drawing. */
const SEEN = 8;

/** The messages, newest at the bottom. */
export function Conversation({ messages }: { messages: readonly PageMessage[] | undefined }) {
  const { say } = useChat();
  // What was not there when the page was opened may play, or take the composer, by itself.
  const old = useRef<ReadonlySet<string>>(undefined);
  if (messages) old.current ??= new Set(messages.map(({ id }) => id));
  const ownLast = messages?.findLast(({ from }) => from === "person")?.id;
  const { frame, content, away, toEnd } = useStickyScroll(ownLast);
  const watch = useNearness(frame);
  return (
    <main class="conversation" ref={frame} aria-label={say("page.conversation")}>
      <div class="column" ref={content}>
        {messages?.length === 0 && <Welcome />}
        <ol class="messages">
          {messages?.map((message, index) => (
            <Message
              key={message.id}
              message={message}
              fresh={!old.current?.has(message.id)}
              begins={index >= messages.length - SEEN}
              newest={index === messages.length - 1}
              watch={watch}
            />
          ))}
        </ol>
      </div>
      {away && (
        <button type="button" class="icon-button to-end" aria-label={say("page.to_end")} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </main>
  );
}
