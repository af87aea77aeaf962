import type { StatementName } from "../../../src/chat/values.ts";
import type { Draft } from "./draft.ts";
import { closeDraft, showDraft, summaryFor } from "./message.ts";
import { noteBegun, noteUsed } from "./store.ts";
import { at, type ChatContext } from "../context/chat-context.ts";

/**
 * Hands over what was filled in. What becomes of it is told by the core.
 * @returns whether it was done; if not, the problem was told
 */
export async function submit(
  { intake, memory, origin }: ChatContext,
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
  context: ChatContext,
  draft: Draft,
  pressed: { readonly agreed: readonly StatementName[]; readonly price?: number },
): Promise<void> {
  const summary = await summaryFor(context, draft);
  const there = at(context, draft.receipt);
  const { chat, message } = draft.receipt;
  const origin = { ...there.origin, ...pressed, request: `telegram:draft:${chat}:${message}` };
  if (!(await submit({ ...there, origin }, draft))) return showDraft(context, draft);
  await noteBegun(context.memory, draft);
  await closeDraft(context, draft, summary);
}
