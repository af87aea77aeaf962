import { type APIModalSubmission, InteractionType } from "discord.js";
import { consistent } from "../../../src/seam/forms/filling.ts";
import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { FORM } from "../context/interaction.ts";
import { type Draft, sheetFor } from "../../kit/drafts/draft.ts";
import { DRAFT } from "../../kit/drafts/page-parts.ts";
import { swap } from "../../kit/drafts/pair.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { readPressed } from "../../kit/drafts/submit.ts";
import { askKey, askPage } from "../drafts/ask.ts";
import { confirm, connectFor, goOn, tellProblem } from "../drafts/begin.ts";
import { withEntriesMeant } from "../drafts/choices.ts";
import { answered, givenIn } from "../drafts/modal-answer.ts";
import { fieldsOn, type PageName } from "../drafts/modal-page.ts";
import { KEY_PAGE } from "../drafts/view.ts";
import { deliver } from "../messages/post.ts";

/** Presses on drafts' buttons, but those that open modals. */
export const draftHandler: Handler = async (context) => {
  const [verb = "", id = "", ...said] = idOf(context, DRAFT)?.split(":") ?? [];
  if (!["go", "show", "swap", "cancel"].includes(verb)) return false;
  const draft = await own(context, id);
  if (verb === "go") await confirm(context, draft, await readPressed(context, draft, said));
  else if (verb === "show") await goOn(context, draft);
  else if (verb === "swap")
    await goOn(context, swap(draft, sheetFor(context, draft).fields, said[0] ?? "") ?? draft);
  else await cancel(context, draft);
  return true;
};

/** The draft that was pressed. A press that comes to nothing leaves a draft that others see as it is. */
async function own({ memory, origin, reply }: InteractionContext, id: string): Promise<Draft> {
  try {
    return await new DraftStore(memory).own(origin, id);
  } catch (error) {
    if (reply.isPublic) await reply.leavePressed();
    throw error;
  }
}

async function cancel(context: InteractionContext, draft: Draft): Promise<void> {
  await new DraftStore(context.memory).finish(draft, "given_up");
  await deliver(context, context.address, { kind: "notice", text: { key: "job.cancelled" } });
}

/** Forms: buttons that open a modal, and modals that were sent. */
export const formHandler: Handler = async (context) => {
  const [id, page] = idOf(context, FORM)?.split(":") ?? [];
  if (id === undefined) return false;
  const { interaction } = context;
  const draft = await own(context, id);
  if (page === KEY_PAGE) await dealWithKey(context, draft);
  else if (interaction.type === InteractionType.ModalSubmit) await take(context, draft, interaction.data);
  else await ask(context, draft, page === "missing" ? page : Number(page));
  return true;
};

/** Asks for a page; a draft that has none of that name by now is shown as it is. */
async function ask(context: InteractionContext, draft: Draft, page: PageName): Promise<void> {
  const isGone = fieldsOn(page, sheetFor(context, draft).fields, draft.values).length === 0;
  await (isGone ? goOn(context, draft) : askPage(context, draft, page));
}

async function dealWithKey(context: InteractionContext, draft: Draft): Promise<void> {
  const { interaction } = context;
  if (interaction.type !== InteractionType.ModalSubmit) return askKey(context, draft);
  const [given] = givenIn(interaction.data);
  await connectFor(context, draft, given?.picked[0] ?? "");
}

/** Takes a modal's answer. What was wrong with it is told, and the rest is kept. */
async function take(context: InteractionContext, draft: Draft, data: APIModalSubmission): Promise<void> {
  const sheet = sheetFor(context, draft);
  const before = await withEntriesMeant(context, sheet, draft.values);
  const { values, problem } = answered(data, sheet.fields, before, context.say);
  // What goes with an entry stays with it, however its name is written.
  const after = await withEntriesMeant(context, sheet, values);
  const filled = { ...draft, values: consistent(sheet.fields, before, after) };
  await (problem ? tellProblem(context, filled, problem) : goOn(context, filled));
}
