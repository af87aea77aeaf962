import { sheetOf } from "../../../src/chat/sheet.ts";
import { offersFor } from "../../../src/chat/offers.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Draft, NewDraft } from "./draft.ts";
import type { Page } from "./page.ts";
import { sceneOf } from "./state.ts";
import { addPicture, editPage, sendPage } from "./send.ts";
import { dropDraft, keepDraft, lastUsed } from "./store.ts";
import type { Talk } from "../context/chat-context.ts";
import { draftPage, summaryOf } from "./view.ts";
import { offersPage } from "./offers-view.ts";

/** Shows a new draft, in a message that answers what the person sent. */
export async function openDraft(talk: Talk, address: TelegramAddress, draft: NewDraft): Promise<Draft> {
  const unsent = { ...address, form: "text", message: 0 } as const;
  const begun = { ...draft, owner: talk.origin.user, receipt: unsent };
  const shown = { ...begun, receipt: await sendPage(talk, address, await pageFor(talk, begun)) };
  await keepDraft(talk.memory, shown);
  return shown;
}

/** Shows a draft as it is now, in its message; in a new one where that is gone. */
export async function showDraft(talk: Talk, draft: Draft): Promise<void> {
  const page = await pageFor(talk, draft);
  if (await editPage(talk, draft.receipt, page)) return keepDraft(talk.memory, draft);
  await dropDraft(talk.memory, draft);
  await keepDraft(talk.memory, { ...draft, receipt: await sendPage(talk, draft.receipt, page) });
}

/** Shows a draft as it is now, with a picture above it. */
export async function showPicture(talk: Talk, draft: Draft, picture: Buffer): Promise<void> {
  const pictured: Draft = { ...draft, receipt: { ...draft.receipt, form: "media" } };
  const isThere = await addPicture(talk, draft.receipt, picture, await pageFor(talk, pictured));
  if (isThere) await keepDraft(talk.memory, pictured);
  else await showDraft(talk, draft);
}

/** Ends a draft: a line without buttons is left of it. */
export async function closeDraft(talk: Talk, draft: Draft, line: string): Promise<void> {
  await dropDraft(talk.memory, draft);
  await editPage(talk, draft.receipt, { text: line, rows: [] });
}

/** What is left of a draft when what it is for has begun. */
export async function summaryFor(talk: Talk, draft: Draft): Promise<string> {
  const sheet = sheetOf(draft, talk.intake.commands);
  return sheet ? summaryOf(await sceneOf(talk, draft, sheet)) : "✓";
}

async function pageFor(talk: Talk, draft: Draft): Promise<Page> {
  const { intake, memory, say } = talk;
  const sheet = sheetOf(draft, intake.commands);
  if (sheet) return draftPage(await sceneOf(talk, draft, sheet));
  const offers = offersFor(intake.commands, draft.given);
  return offersPage(say, draft.given, offers, await lastUsed(memory, draft.owner));
}
