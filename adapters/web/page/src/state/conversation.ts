import { useEffect, useReducer } from "preact/hooks";
import { API } from "./api.ts";
import { followEvents } from "./events.ts";
import { changed, type ConversationState } from "./history.ts";
import { settle } from "./problem.ts";

/**
 * Follows the conversation. Each new connection begins with the whole history, so nothing is missed, and nobody needs to be
 * told any longer that Reelay did not answer.
 * @param onRead hears that it was read as a whole
 * @param onRefused hears that there was an answer, and no conversation in it
 */
export function useConversation(onRead: () => void, onRefused: () => void): ConversationState {
  const [state, change] = useReducer(changed, { messages: undefined, connected: true });
  useEffect(() => {
    return followEvents(
      `${API}/events`,
      ["history", "message", "removed"],
      (event, data) => {
        change({ event, data } as Parameters<typeof change>[0]);
        if (event !== "history") return;
        settle("unreachable", "upload_lost");
        onRead();
      },
      (isRefused) => {
        change({ event: "lost" });
        if (isRefused) onRefused();
      },
    );
  }, []);
  return state;
}
