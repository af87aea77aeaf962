/** The page's copy of the conversation: pure. */
import type { ConversationEvents, PageMessage } from "../../../wire.ts";

/** The conversation as the page knows it. */
export interface ConversationState {
  /** Undefined until the history came. */
  readonly messages: readonly PageMessage[] | undefined;
  readonly connected: boolean;
}

type Change =
  | {
      readonly [E in keyof ConversationEvents]: { readonly event: E; readonly data: ConversationEvents[E] };
    }[keyof ConversationEvents]
  | { readonly event: "lost" };

/** The state after a change: see {@link ConversationEvents}. */
export function changed(state: ConversationState, change: Change): ConversationState {
  const messages = state.messages ?? [];
  switch (change.event) {
    case "history":
      return { messages: change.data, connected: true };
    case "message": {
      const { data } = change;
      const inPlace = messages.some(({ id, at }) => id === data.id && at === data.at);
      return {
        ...state,
        messages: inPlace
          ? messages.map((old) => (old.id === data.id ? data : old))
          : [...messages.filter(({ id }) => id !== data.id), data],
      };
    }
    case "removed":
      return { ...state, messages: messages.filter(({ id }) => id !== change.data.id) };
    case "lost":
      return { ...state, connected: false };
    default:
      return change satisfies never;
  }
}
