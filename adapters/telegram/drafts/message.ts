import { sheetOf } from "../../../src/chat/sheet.ts";
import { offersFor } from "../../../src/chat/offers.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Draft, NewDraft } from "./draft.ts";
import type { Page } from "./page.ts";
import { stateOf } from "./state.ts";
import { addPicture, editPage, sendPage } from "./send.ts";
import { dropDraft, keepDraft, lastUsed } from "./store.ts";
import type { ChatContext } from "../context/chat-context.ts";
import { draftPage, summaryOf } from "./view.ts";
import { offersPage } from "./offers-view.ts";

/** Shows a new draft, in a message that answers what the person sent. */
export async function openDraft(
  context: ChatContext,
  address: TelegramAddress,
  draft: NewDraft,
): Promise<Draft> {
  const unsent = { ...address, form: "text", message: 0 } as const;
  const begun = { ...draft, owner: context.origin.user, receipt: unsent };
  const shown = { ...begun, receipt: await sendPage(context, address, await pageFor(context, begun)) };
  await keepDraft(context.memory, shown);
  return shown;
}

/** Shows a draft as it is now, in its message; in a new one where that is gone. */
export async function showDraft(context: ChatContext, draft: Draft): Promise<void> {
  const page = await pageFor(context, draft);
  if (await editPage(context, draft.receipt, page)) return keepDraft(context.memory, draft);
  await dropDraft(context.memory, draft);
  await keepDraft(context.memory, { ...draft, receipt: await sendPage(context, draft.receipt, page) });
}

/** Shows a draft as it is now, with a picture above it. */
export async function showPicture(context: ChatContext, draft: Draft, picture: Buffer): Promise<void> {
  const pictured: Draft = { ...draft, receipt: { ...draft.receipt, form: "media" } };
  const isThere = await addPicture(context, draft.receipt, picture, await pageFor(context, pictured));
  if (isThere) await keepDraft(context.memory, pictured);
  else await showDraft(context, draft);
}

/** Ends a draft: a line without buttons is left of it. */
export async function closeDraft(context: ChatContext, draft: Draft, line: string): Promise<void> {
  await dropDraft(context.memory, draft);
  await editPage(context, draft.receipt, { text: line, rows: [] });
}

/** What is left of a draft when what it is for has begun. */
export async function summaryFor(context: ChatContext, draft: Draft): Promise<string> {
  const sheet = sheetOf(draft, context.intake.commands);
  return sheet ? summaryOf(await stateOf(context, draft, sheet)) : "✓";
}

async function pageFor(context: ChatContext, draft: Draft): Promise<Page> {
  const { intake, memory, say } = context;
  const sheet = sheetOf(draft, intake.commands);
  if (sheet) return draftPage(await stateOf(context, draft, sheet));
  const offers = offersFor(intake.commands, draft.given);
  return offersPage(say, draft.given, offers, await lastUsed(memory, draft.owner));
}
