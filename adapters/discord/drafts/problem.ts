import { ReelayError } from "../../../src/errors.ts";
import { type Draft, sheetFor, type Talk } from "./draft.ts";
import { keepDraft } from "./store.ts";
import { problemView } from "./view.ts";
import { deliver } from "../messages/post.ts";

/** Tells what is wrong with a draft, and keeps it to be changed and tried again. */
export async function tellProblem(talk: Talk, draft: Draft, problem: ReelayError): Promise<void> {
  const sheet = sheetFor(talk, draft);
  const kept = await keepDraft(talk.memory, draft, sheet);
  await deliver(talk, talk.address, problemView(kept, sheet, problem));
}

/** Does something with a draft; what is wrong with it is told. */
export async function attempt(
  talk: Talk,
  draft: Draft,
  work: (talk: Talk, draft: Draft) => Promise<void>,
): Promise<void> {
  try {
    await work(talk, draft);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    await tellProblem(talk, draft, error);
  }
}
