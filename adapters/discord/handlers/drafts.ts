import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { type Draft, sheetFor } from "../../kit/drafts/draft.ts";
import { DRAFT } from "../../kit/drafts/page-parts.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { readPressed } from "../../kit/drafts/submit.ts";
import { confirm, goOn } from "../drafts/begin.ts";
import { deliver } from "../messages/post.ts";

/** What the buttons of drafts do, by their verbs. */
const VERBS: ReadonlyMap<
  string,
  (context: InteractionContext, draft: Draft, ...said: string[]) => Promise<void>
> = new Map([
  ["go", (context, draft, ...said) => confirm(context, draft, readPressed(sheetFor(context, draft), said))],
  ["show", goOn],
  ["cancel", cancel],
]);

/** Presses on drafts' buttons, but those that open modals. */
export const draftHandler: Handler = async (context) => {
  const [verb = "", id = "", ...said] = idOf(context, DRAFT)?.split(":") ?? [];
  const act = VERBS.get(verb);
  if (!act) return false;
  await act(context, await new DraftStore(context.memory).own(context.origin, id), ...said);
  return true;
};

async function cancel(context: InteractionContext, draft: Draft): Promise<void> {
  await new DraftStore(context.memory).drop(draft);
  await deliver(context, context.address, { kind: "notice", text: { key: "job.cancelled" } });
}
