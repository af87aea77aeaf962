import { withoutFile } from "../drafts/change.ts";
import type { DraftMessages } from "../drafts/messages.ts";
import { DraftStore } from "../drafts/store.ts";
import type { ChatNotes } from "../messages/notes.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import { dropNoted } from "./noted.ts";
import { dropPart } from "./together.ts";

/**
 * Takes a picture out of everything that its person prepares, because they deleted the message that brought it. What was made of it, or is
 * being made, they asked for before.
 * @param takenIn the message that they deleted, where what they did is that
 */
export function takenBackHandler<Context extends ChatContext & { readonly notes: ChatNotes }>(
  drafts: DraftMessages<Context>,
  chatOf: (context: Context) => string,
  takenIn: (context: Context) => string | undefined,
): HandlerFor<Context> {
  return async (context) => {
    const message = takenIn(context);
    if (message === undefined) return false;
    const { memory, notes, origin } = context;
    const picture = await dropNoted(notes, chatOf(context), message);
    await dropPart(notes, chatOf(context), message);
    if (!picture) return true;
    for (const draft of await new DraftStore(memory).open(origin)) {
      const left = withoutFile(context, draft, picture);
      if (left === undefined) await drafts.cancel(context, draft);
      else if (left !== draft) await drafts.show(context, left);
    }
    return true;
  };
}
