import { useEffect, useReducer } from "preact/hooks";
import type { ConversationEvents, Message } from "../../wire.ts";

/** The conversation as the page knows it. */
export interface ConversationState {
  /** Undefined until the history came. */
  readonly messages: readonly Message[] | undefined;
  readonly connected: boolean;
}

const RECONNECT_MS = 3000;

type Change =
  | { readonly [E in keyof ConversationEvents]: { readonly event: E; readonly data: ConversationEvents[E] } }[keyof ConversationEvents]
  | { readonly event: "lost" };

/** The state after a change: a message with a known id replaces the old one in its place. */
export function changed(state: ConversationState, change: Change): ConversationState {
  const messages = state.messages ?? [];
  switch (change.event) {
    case "history":
      return { messages: change.data, connected: true };
    case "message": {
      const { data } = change;
      const known = messages.some(({ id }) => id === data.id);
      return { ...state, messages: known ? messages.map((old) => (old.id === data.id ? data : old)) : [...messages, data] };
    }
    case "removed":
      return { ...state, messages: messages.filter(({ id }) => id !== change.data.id) };
    case "lost":
      return { ...state, connected: false };
  }
}

/** Follows the conversation. Each new connection begins with the whole history, so nothing is missed. */
export function useConversation(): ConversationState {
  const [state, change] = useReducer(changed, { messages: undefined, connected: true });
  useEffect(() => {
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    function connect() {
      source = new EventSource("/web/events");
      for (const event of ["history", "message", "removed"] as const) {
        source.addEventListener(event, ({ data }) => change({ event, data: JSON.parse(data as string) } as Change));
      }
      source.addEventListener("error", () => {
        change({ event: "lost" });
        // A browser tries again by itself, but not after an answer such as a proxy's 502.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RECONNECT_MS);
      });
    }
    connect();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, []);
  return state;
}
