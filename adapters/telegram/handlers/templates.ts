import { BROWSE, found, home, type Kind } from "../../../src/chat/browse/place.ts";
import { type Start, startWith, turn } from "../../../src/chat/browse/press.ts";
import { entriesOfKind } from "../../../src/chat/browse/catalogues.ts";
import { viewOf } from "../../../src/chat/browse/view.ts";
import type { NoticeView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { addressOf } from "../context/address.ts";
import { ask } from "./question.ts";
import { answerPress, isOfSomebodyElse, pressedMessage } from "./press.ts";
import { type Clerk, pressedOf, type Visit } from "../context/context.ts";
import { startDraft } from "../drafts/start.ts";
import { post, replace } from "../messages/post.ts";

/** Opens the catalogue in a message of its own: at what matches the words, if there are any. */
export async function openTemplates(visit: Visit, kind: Kind, words: string): Promise<void> {
  const place = words ? found(kind, words) : home(kind);
  await post(visit, addressOf(visit.origin.address), await viewOf(visit, place));
}

/** Starts a draft with the template that a shared link names: by its code, or by its own id. */
export async function useLinked(visit: Visit, name: string): Promise<void> {
  const entries = await entriesOfKind(visit, "templates");
  const entry = entries.find(({ code, suggestion }) => code === name || suggestion.value === name);
  if (entry) return begin(visit, startWith(entry.shelf.uses[0], entry, undefined));
  const { actions = [] } = await viewOf(visit, home("templates"));
  const text = { key: "browse.gone" } as const;
  await post(visit, addressOf(visit.origin.address), { kind: "notice", text, actions });
}

/** Looks through the catalogue in one message. */
export const templateClerk: Clerk = async (visit) => {
  const pressed = pressedOf(visit, BROWSE);
  if (pressed === undefined) return false;
  if (isOfSomebodyElse(visit)) {
    await answerPress(visit, visit.say("error.not_yours"));
    return true;
  }
  await answerPress(visit);
  const next = await turn(visit, pressed);
  if (next.to === "search") await ask(visit, next.kind);
  else if (next.to === "operation") await begin(visit, next.start);
  else await showInstead(visit, next.view);
  return true;
};

/** Shows another place in the message that was pressed. */
async function showInstead(visit: Visit, view: NoticeView): Promise<void> {
  const receipt = pressedMessage(visit);
  if (!receipt) throw new ReelayError("stale_button");
  await replace(visit, receipt, view);
}

const begin = (visit: Visit, { operation, values }: Start) => startDraft(visit, operation, values);
