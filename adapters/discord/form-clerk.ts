import { type APIModalSubmission, InteractionType } from "discord.js";
import { type Clerk, idOf, type Visit } from "./desk.ts";
import { type Draft, sheetFor } from "./draft.ts";
import { askPage } from "./draft-ask.ts";
import { tellProblem } from "./draft-problem.ts";
import { goOn } from "./draft-start.ts";
import { ownDraft } from "./draft-store.ts";
import { FORM } from "./draft-view.ts";
import { answered } from "./modal-answer.ts";

/** Forms: buttons that open a modal, and modals that were sent. */
export const formClerk: Clerk = async (visit) => {
  const [id, page] = idOf(visit, FORM)?.split(":") ?? [];
  if (id === undefined) return false;
  const { deed } = visit;
  const draft = await ownDraft(visit, id);
  if (deed.type === InteractionType.ModalSubmit) await take(visit, draft, deed.data);
  else await askPage(visit, draft, page === "missing" ? page : Number(page));
  return true;
};

/** Takes a modal's answer. What was wrong with it is told, and the rest is kept. */
async function take(visit: Visit, draft: Draft, data: APIModalSubmission): Promise<void> {
  const { fields } = sheetFor(visit, draft);
  const { values, problem } = answered(data, fields, draft.values, visit.say);
  const filled = { ...draft, values };
  await (problem ? tellProblem(visit, filled, problem) : goOn(visit, filled));
}
