import { firstMissing } from "../../../src/seam/forms/filling.ts";
import type { GivenFiles } from "../../../src/seam/forms/offers.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import type { Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { screenAfter } from "./change.ts";
import { BLANK, type Draft, type NewDraft, originFor } from "./draft.ts";
import type { DraftMessages } from "./messages.ts";
import { beginning, meantBy } from "./offers.ts";
import { DraftStore } from "./store.ts";
import { handOver } from "./submit.ts";

/**
 * Starts a draft of an operation.
 * @param values what is filled in already
 * @throws ReelayError `unknown_command`
 */
export async function startDraft<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  operation: string,
  values: Values,
): Promise<void> {
  const draft = { ...BLANK, operation, values };
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) throw new ReelayError("unknown_command", { name: operation });
  await drafts.open(context, { ...draft, screen: screenAfter(sheet, values) });
}

/**
 * Starts with what a person sent. With words to it, it is clear what is meant: that begins at once where it costs
 * no more than they allowed; else, and without words, they are asked.
 * @returns the draft; undefined where none was needed
 */
export async function startWith<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  given: GivenFiles,
  seconds: Draft["seconds"] = {},
): Promise<Draft | undefined> {
  const draft = await filledWith(context, { ...BLANK, seconds }, given);
  if (!(await mayBegin(context, draft)) || !(await handOver(context, draft)))
    return drafts.open(context, draft);
  await new DraftStore(context.memory).noteUsed({ ...draft, owner: context.origin.user });
  return undefined;
}

/** Takes words for what is meant by the files of a draft that still offers what can be made of them. */
export async function sayTo<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  words: string,
): Promise<void> {
  const filled = await filledWith(context, draft, { ...draft.given, words });
  const there = { ...context, origin: originFor(context, draft) };
  if ((await mayBegin(there, filled)) && (await drafts.submit(context, filled))) return;
  await drafts.show(context, filled);
}

async function filledWith<D extends NewDraft>(context: ChatContext, draft: D, given: GivenFiles): Promise<D> {
  const meant = await meantBy(context, given);
  return { ...draft, given, ...(meant && beginning(context, given, meant.name)) };
}

/** Whether what was said with words is complete, and may begin without being confirmed. */
async function mayBegin({ intake, origin }: ChatContext, draft: NewDraft): Promise<boolean> {
  const { operation, values, given } = draft;
  const sheet = sheetOf(draft, intake.commands);
  if (operation === undefined || given.words === undefined || !sheet) return false;
  return !firstMissing(sheet.fields, values) && intake.mayBegin(origin, operation, values);
}
