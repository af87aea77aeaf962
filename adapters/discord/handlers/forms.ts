import { type APIModalSubmission, InteractionType } from "discord.js";
import { consistent } from "../../../src/chat/filling.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import type { Values } from "../../../src/chat/values.ts";
import { entriesMeant, withEntries } from "../drafts/choices.ts";
import { type Clerk, idOf, type Visit } from "../context/context.ts";
import { type Draft, sheetFor } from "../drafts/draft.ts";
import { askPage } from "../drafts/ask.ts";
import { tellProblem } from "../drafts/problem.ts";
import { goOn } from "../drafts/start.ts";
import { ownDraft } from "../drafts/store.ts";
import { FORM } from "../drafts/view.ts";
import { answered } from "../drafts/modal-answer.ts";

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
  const sheet = sheetFor(visit, draft);
  const before = await settled(visit, sheet, draft.values);
  const { values, problem } = answered(data, sheet.fields, before, visit.say);
  // What goes with an entry stays with it, however its name is written.
  const after = await settled(visit, sheet, values);
  const filled = { ...draft, values: consistent(sheet.fields, before, after) };
  await (problem ? tellProblem(visit, filled, problem) : goOn(visit, filled));
}

async function settled(visit: Visit, { name, fields }: Sheet, values: Values): Promise<Values> {
  return withEntries(values, await entriesMeant(visit, name, fields, values));
}
