import { BROWSE, found, home, type Kind } from "../../../src/chat/browse/place.ts";
import { type Start, startWith, turn } from "../../../src/chat/browse/press.ts";
import { entriesOfKind } from "../../../src/chat/browse/catalogues.ts";
import { viewOf } from "../../../src/chat/browse/view.ts";
import type { NoticeView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { addressOf } from "../context/address.ts";
import { ask } from "./question.ts";
import { answerPress, isOfSomebodyElse, pressedMessage } from "./press.ts";
import { type Handler, pressedOf, type UpdateContext } from "../context/context.ts";
import { startDraft } from "../drafts/start.ts";
import { post, replace } from "../messages/post.ts";

/** Opens the catalogue in a message of its own: at what matches the words, if there are any. */
export async function openTemplates(context: UpdateContext, kind: Kind, words: string): Promise<void> {
  const place = words ? found(kind, words) : home(kind);
  await post(context, addressOf(context.origin.address), await viewOf(context, place));
}

/** Starts a draft with the template that a shared link names: by its code, or by its own id. */
export async function useLinked(context: UpdateContext, name: string): Promise<void> {
  const entries = await entriesOfKind(context, "templates");
  const entry = entries.find(({ code, suggestion }) => code === name || suggestion.value === name);
  if (entry) return begin(context, startWith(entry.shelf.uses[0], entry, undefined));
  const { actions = [] } = await viewOf(context, home("templates"));
  const text = { key: "browse.gone" } as const;
  await post(context, addressOf(context.origin.address), { kind: "notice", text, actions });
}

/** Looks through the catalogue in one message. */
export const templateHandler: Handler = async (context) => {
  const pressed = pressedOf(context, BROWSE);
  if (pressed === undefined) return false;
  if (isOfSomebodyElse(context)) {
    await answerPress(context, context.say("error.not_yours"));
    return true;
  }
  await answerPress(context);
  const next = await turn(context, pressed);
  if (next.to === "search") await ask(context, next.kind);
  else if (next.to === "operation") await begin(context, next.start);
  else await showInstead(context, next.view);
  return true;
};

/** Shows another place in the message that was pressed. */
async function showInstead(context: UpdateContext, view: NoticeView): Promise<void> {
  const receipt = pressedMessage(context);
  if (!receipt) throw new ReelayError("stale_button");
  await replace(context, receipt, view);
}

const begin = (context: UpdateContext, { operation, values }: Start) =>
  startDraft(context, operation, values);
