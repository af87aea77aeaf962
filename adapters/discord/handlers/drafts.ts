import { type Clerk, idOf, type Visit } from "../context/context.ts";
import { type Draft, sheetFor } from "../drafts/draft.ts";
import { begin } from "../drafts/begin.ts";
import { attempt } from "../drafts/problem.ts";
import { goOn } from "../drafts/start.ts";
import { dropDraft, ownDraft } from "../drafts/store.ts";
import { DRAFT } from "../drafts/view.ts";
import { deliver } from "../messages/post.ts";

/** What the buttons of drafts do, by their verbs. */
const VERBS: ReadonlyMap<string, (visit: Visit, draft: Draft, ...said: string[]) => Promise<void>> = new Map([
  ["go", go],
  ["show", goOn],
  ["cancel", cancel],
]);

/** Presses on drafts' buttons, but those that open modals. */
export const draftClerk: Clerk = async (visit) => {
  const [verb = "", id = "", ...said] = idOf(visit, DRAFT)?.split(":") ?? [];
  const act = VERBS.get(verb);
  if (!act) return false;
  const draft = await ownDraft(visit, id);
  await act(visit, draft, ...said);
  return true;
};

/** A button states what it says itself: one from before it said so states nothing. */
async function go(visit: Visit, draft: Draft, stated = "", price = ""): Promise<void> {
  await attempt(visit, draft, (talk) => {
    const { agreement } = sheetFor(talk, draft);
    return begin(talk, draft, {
      agreed: agreement && agreement === stated ? [agreement] : [],
      ...(price !== "" && { price: Number(price) }),
    });
  });
}

async function cancel(visit: Visit, draft: Draft): Promise<void> {
  await dropDraft(visit.memory, draft);
  await deliver(visit, visit.address, { kind: "notice", text: { key: "job.cancelled" } });
}
