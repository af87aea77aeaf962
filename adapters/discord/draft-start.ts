import { missingFields } from "../../src/chat/filling.ts";
import type { Values } from "../../src/chat/values.ts";
import { ReelayError } from "../../src/errors.ts";
import { askPage } from "./draft-ask.ts";
import { settle } from "./draft-begin.ts";
import { type Draft, sheetFor, type Talk } from "./draft.ts";
import { keepDraft } from "./draft-store.ts";
import { problemView } from "./draft-view.ts";
import { checkFiles, readFiles } from "./media.ts";
import { deliver } from "./post.ts";

/**
 * Starts with an operation: what is missing is asked for, then what it costs is said.
 * @param values what is filled in already
 * @throws ReelayError `stale_button` for an operation that there is not
 */
export async function startDraft(talk: Talk, operation: string, values: Values): Promise<void> {
  const { address, origin } = talk;
  // The catalogue is looked through in private; what is made with it is for all to see.
  await goOn(talk, { id: address.asked.id, owner: origin.user, secret: false, operation, values });
}

/** Goes on with a draft that changed. What is wrong is told, and what was right is kept. */
export async function goOn(talk: Talk, draft: Draft): Promise<void> {
  const { fields } = sheetFor(talk, draft);
  const checked = await checkFiles(talk, fields, draft.values);
  if (checked.problem) return tellProblem(talk, { ...draft, values: checked.values }, checked.problem);
  if (missingFields(fields, draft.values).length > 0) return askPage(talk, draft, "missing");
  // What follows takes longer than a modal may be waited for.
  await talk.reply.defer();
  const { values, problem } = await readFiles(talk, draft.owner, fields, draft.values);
  if (problem) return tellProblem(talk, { ...draft, values }, problem);
  await attempt(talk, { ...draft, values }, settle);
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

/** Tells what is wrong with a draft, and keeps it to be changed and tried again. */
export async function tellProblem(talk: Talk, draft: Draft, problem: ReelayError): Promise<void> {
  const sheet = sheetFor(talk, draft);
  const kept = await keepDraft(talk.memory, draft, sheet);
  await deliver(talk, talk.address, problemView(kept, sheet, problem));
}
