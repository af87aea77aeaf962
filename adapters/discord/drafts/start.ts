import { missingFields } from "../../../src/chat/filling.ts";
import type { Values } from "../../../src/chat/values.ts";
import { askPage } from "./ask.ts";
import { settle } from "./begin.ts";
import { attempt, tellProblem } from "./problem.ts";
import { type Draft, sheetFor, type ChatContext } from "./draft.ts";
import { checkFiles } from "../media/media.ts";

/**
 * Starts with an operation: what is missing is asked for, then what it costs is said.
 * @param values what is filled in already
 * @throws ReelayError `stale_button` for an operation that there is not
 */
export async function startDraft(context: ChatContext, operation: string, values: Values): Promise<void> {
  const { address, origin } = context;
  // The catalogue is looked through in private; what is made with it is for all to see.
  await goOn(context, { id: address.asked.id, owner: origin.user, secret: false, operation, values });
}

/** Goes on with a draft that changed. What is wrong is told, and what was right is kept. */
export async function goOn(context: ChatContext, draft: Draft): Promise<void> {
  const { fields } = sheetFor(context, draft);
  const checked = await checkFiles(context, fields, draft.values);
  if (checked.problem) return tellProblem(context, { ...draft, values: checked.values }, checked.problem);
  if (missingFields(fields, draft.values).length > 0) return askPage(context, draft, "missing");
  // What follows takes longer than a modal may be waited for.
  await context.reply.defer();
  await attempt(context, draft, settle);
}
