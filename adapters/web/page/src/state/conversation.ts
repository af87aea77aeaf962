import { useEffect, useReducer } from "preact/hooks";
import { API } from "./api.ts";
import { followEvents } from "./events.ts";
import { changed, type ConversationState } from "./history.ts";

/** Follows the conversation. Each new connection begins with the whole history, so nothing is missed. */
export function useConversation(): ConversationState {
  const [state, change] = useReducer(changed, { messages: undefined, connected: true });
  useEffect(() => {
    return followEvents(
      `${API}/events`,
      ["history", "message", "removed"],
      (event, data) => change({ event, data } as Parameters<typeof change>[0]),
      () => change({ event: "lost" }),
    );
  }, []);
  return state;
}
