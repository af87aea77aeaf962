import { useEffect, useReducer } from "preact/hooks";
import { API } from "./api.ts";
import { changed, type ConversationState } from "./history.ts";

/** How long to wait after an answer that a browser gives up on, in milliseconds. */
const RECONNECT_MS = 3000;

/** Follows the conversation. Each new connection begins with the whole history, so nothing is missed. */
export function useConversation(): ConversationState {
  const [state, change] = useReducer(changed, { messages: undefined, connected: true });
  useEffect(() => {
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout>;
    function connect() {
      source = new EventSource(`${API}/events`);
      for (const event of ["history", "message", "removed"] as const) {
        source.addEventListener(event, ({ data }) => change({ event, data: JSON.parse(data as string) }));
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
