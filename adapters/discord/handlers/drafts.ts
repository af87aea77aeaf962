import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { type Draft, sheetFor } from "../drafts/draft.ts";
import { begin } from "../drafts/begin.ts";
import { attempt } from "../drafts/problem.ts";
import { goOn } from "../drafts/start.ts";
import { dropDraft, ownDraft } from "../drafts/store.ts";
import { DRAFT } from "../drafts/view.ts";
import { deliver } from "../messages/post.ts";

/** What the buttons of drafts do, by their verbs. */
const VERBS: ReadonlyMap<
  string,
  (context: InteractionContext, draft: Draft, ...said: string[]) => Promise<void>
> = new Map([
  ["go", go],
  ["show", goOn],
  ["cancel", cancel],
]);

/** Presses on drafts' buttons, but those that open modals. */
export const draftHandler: Handler = async (context) => {
  const [verb = "", id = "", ...said] = idOf(context, DRAFT)?.split(":") ?? [];
  const act = VERBS.get(verb);
  if (!act) return false;
  const draft = await ownDraft(context, id);
  await act(context, draft, ...said);
  return true;
};

/** A button states what it says itself: one from before it said so states nothing. */
async function go(context: InteractionContext, draft: Draft, stated = "", price = ""): Promise<void> {
  await attempt(context, draft, (context) => {
    const { agreement } = sheetFor(context, draft);
    return begin(context, draft, {
      agreed: agreement && agreement === stated ? [agreement] : [],
      ...(price !== "" && { price: Number(price) }),
    });
  });
}

async function cancel(context: InteractionContext, draft: Draft): Promise<void> {
  await dropDraft(context.memory, draft);
  await deliver(context, context.address, { kind: "notice", text: { key: "job.cancelled" } });
}
