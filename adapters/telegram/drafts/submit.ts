import type { StatementName } from "../../../src/chat/values.ts";
import type { Draft } from "./draft.ts";
import { closeDraft, showDraft, summaryFor } from "./message.ts";
import { noteBegun, noteUsed } from "./store.ts";
import { at, type Talk } from "../context/chat-context.ts";

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
 * Submits a draft. One that came to nothing can be changed and tried again. However often its button is pressed, it makes
 * one job: its request is the message that shows it.
 * @param pressed what the button said: what its press states, and what it costs
 */
export async function finish(
  talk: Talk,
  draft: Draft,
  pressed: { readonly agreed: readonly StatementName[]; readonly price?: number },
): Promise<void> {
  const summary = await summaryFor(talk, draft);
  const there = at(talk, draft.receipt);
  const { chat, message } = draft.receipt;
  const origin = { ...there.origin, ...pressed, request: `telegram:draft:${chat}:${message}` };
  if (!(await submit({ ...there, origin }, draft))) return showDraft(talk, draft);
  await noteBegun(talk.memory, draft);
  await closeDraft(talk, draft, summary);
}
