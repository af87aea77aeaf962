import type { StatementName } from "../../src/chat/values.ts";
import type { Draft } from "./draft.ts";
import { closeDraft, showDraft, summaryFor } from "./draft-message.ts";
import { noteUsed } from "./draft-store.ts";
import { at, type Talk } from "./draft-talk.ts";

/**
 * Hands over what was filled in. What becomes of it is told by the core.
 * @returns whether it was done; if not, the problem was told
 */
export async function submit(
  { intake, memory, origin }: Talk,
  { operation = "", form, values }: Pick<Draft, "operation" | "form" | "values">,
): Promise<boolean> {
  if (form) return intake.answer(origin, form.id, values);
  const done = await intake.command(origin, operation, values);
  if (done) await noteUsed(memory, origin.user, operation);
  return done;
}

/**
 * Submits a draft. One that came to nothing can be changed and tried again.
 * @param agreed what the pressed button said that its press states
 */
export async function finish(talk: Talk, draft: Draft, agreed: readonly StatementName[]): Promise<void> {
  const summary = await summaryFor(talk, draft);
  const there = at(talk, draft.receipt);
  const stating = { ...there, origin: { ...there.origin, agreed } };
  if (await submit(stating, draft)) await closeDraft(talk, draft, summary);
  else await showDraft(talk, draft);
}
