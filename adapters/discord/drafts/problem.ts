import { ReelayError } from "../../../src/errors.ts";
import { type Draft, sheetFor, type ChatContext } from "./draft.ts";
import { keepDraft } from "./store.ts";
import { problemView } from "./view.ts";
import { deliver } from "../messages/post.ts";

/** Tells what is wrong with a draft, and keeps it to be changed and tried again. */
export async function tellProblem(context: ChatContext, draft: Draft, problem: ReelayError): Promise<void> {
  const sheet = sheetFor(context, draft);
  const kept = await keepDraft(context.memory, draft, sheet);
  await deliver(context, context.address, problemView(kept, sheet, problem));
}

/** Does something with a draft; what is wrong with it is told. */
export async function attempt(
  context: ChatContext,
  draft: Draft,
  work: (context: ChatContext, draft: Draft) => Promise<void>,
): Promise<void> {
  try {
    await work(context, draft);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    await tellProblem(context, draft, error);
  }
}
