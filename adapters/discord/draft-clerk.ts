import { type Clerk, idOf, type Visit } from "./desk.ts";
import type { Draft } from "./draft.ts";
import { begin } from "./draft-begin.ts";
import { attempt } from "./draft-problem.ts";
import { goOn } from "./draft-start.ts";
import { dropDraft, ownDraft } from "./draft-store.ts";
import { DRAFT } from "./draft-view.ts";
import { deliver } from "./post.ts";

/** What the buttons of drafts do, by their verbs. */
const VERBS: ReadonlyMap<string, (visit: Visit, draft: Draft) => Promise<void>> = new Map([
  ["go", (visit, draft) => attempt(visit, draft, begin)],
  ["show", goOn],
  ["cancel", cancel],
]);

/** Presses on drafts' buttons, but those that open modals. */
export const draftClerk: Clerk = async (visit) => {
  const [verb = "", id = ""] = idOf(visit, DRAFT)?.split(":") ?? [];
  const act = VERBS.get(verb);
  if (!act) return false;
  const draft = await ownDraft(visit, id);
  await act(visit, draft);
  return true;
};

async function cancel(visit: Visit, draft: Draft): Promise<void> {
  await dropDraft(visit.memory, draft);
  await deliver(visit, visit.address, { kind: "notice", text: { key: "job.cancelled" } });
}
