import { useRef, useState } from "preact/hooks";
import type { PageMessage } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { useStickyScroll } from "../../view/scroll.ts";
import { Bubble } from "../cards/Bubble.tsx";
import { Icon } from "../base/Icon.tsx";
import { Welcome } from "./Welcome.tsx";

/** How many messages are shown at first, and added at each request for earlier ones: players are heavy. */
const PAGE = 40;

/** The messages, newest at the bottom. */
export function Conversation({ messages }: { messages: readonly PageMessage[] | undefined }) {
  const { say } = useChat();
  const [shown, setShown] = useState(PAGE);
  // What was not there when the page was opened may play, or take the composer, by itself.
  const old = useRef<ReadonlySet<string>>(undefined);
  if (messages) old.current ??= new Set(messages.map(({ id }) => id));
  const ownLast = messages?.findLast(({ from }) => from === "person")?.id;
  const { frame, content, away, toEnd } = useStickyScroll(ownLast);
  return (
    <main class="conversation" ref={frame} aria-label={say("page.conversation")}>
      <div class="column" ref={content}>
        {messages?.length === 0 && <Welcome />}
        {messages && messages.length > shown && (
          <button type="button" class="button earlier" onClick={() => setShown(shown + PAGE)}>
            {say("page.earlier")}
          </button>
        )}
        <ol class="messages">
          {messages?.slice(-shown).map((message) => (
            <Bubble key={message.id} message={message} fresh={!old.current?.has(message.id)} />
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
