import type { CommandSpec } from "../../../src/chat/fields.ts";
import { firstMissing } from "../../../src/chat/filling.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import type { Values } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import { type Given, offersFor, usualOffer } from "../../../src/chat/offers.ts";
import { addressOf, type TelegramAddress } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import type { Draft, NewDraft } from "./draft.ts";
import { screenAfter } from "./change.ts";
import { closeDraft, openDraft, showDraft, summaryFor } from "./message.ts";
import { beginning } from "./press.ts";
import { lastUsed } from "./store.ts";
import { submit } from "./submit.ts";
import { at, type ChatContext } from "../context/chat-context.ts";

const NOTHING: Given = { pictures: [], sounds: [] };

/**
 * Starts a draft of an operation.
 * @param values what is filled in already
 * @throws ReelayError `unknown_command`
 */
export async function startDraft(context: UpdateContext, operation: string, values: Values): Promise<void> {
  const draft = { operation, values, given: NOTHING, screen: { show: "main" }, seconds: {} } as const;
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) throw new ReelayError("unknown_command", { name: operation });
  const address = addressOf(context.origin.address);
  await openDraft(context, address, { ...draft, screen: screenAfter(sheet, values) });
}

/**
 * Starts with what a person sent. With words to it, it is clear what is meant: that begins at once where it costs
 * no more than they allowed; else, and without words, they are asked.
 * @returns the draft; undefined where none was needed
 */
export async function startWith(
  context: ChatContext,
  address: TelegramAddress,
  given: Given,
  seconds: Draft["seconds"] = {},
): Promise<Draft | undefined> {
  const draft: NewDraft = { given, values: {}, screen: { show: "main" }, seconds };
  const meant = await meantBy(context, given);
  const filled = { ...draft, ...(meant && beginning(context, given, meant.name)) };
  if (await beginsAtOnce(at(context, address), filled)) return undefined;
  return openDraft(context, address, filled);
}

/** Takes words for what is meant by the files of a draft that still offers what can be made of them. */
export async function sayTo(context: ChatContext, draft: Draft, words: string): Promise<void> {
  const given = { ...draft.given, words };
  const meant = await meantBy(context, given);
  const filled = { ...draft, given, ...(meant && beginning(context, given, meant.name)) };
  if (await beginsAtOnce(at(context, draft.receipt), filled))
    await closeDraft(context, filled, await summaryFor(context, filled));
  else await showDraft(context, filled);
}

/** What somebody means: what they use, if they said words to it; else the one thing that there is. */
async function meantBy(
  { intake, memory, origin }: ChatContext,
  given: Given,
): Promise<CommandSpec | undefined> {
  const offers = offersFor(intake.commands, given);
  if (given.words !== undefined) return usualOffer(offers, await lastUsed(memory, origin.user));
  return offers.length === 1 ? offers[0] : undefined;
}

/** Submits what was said with words, is complete and cheap enough for this person. @returns whether it was taken */
async function beginsAtOnce(context: ChatContext, draft: NewDraft): Promise<boolean> {
  const { intake, origin } = context;
  const { operation, values, given } = draft;
  const sheet = sheetOf(draft, intake.commands);
  if (operation === undefined || given.words === undefined || !sheet || firstMissing(sheet.fields, values))
    return false;
  // What is to be stated each time is stated by a press.
  if (sheet.agreement) return false;
  const { spendBelow } = await intake.preferences(origin);
  if (spendBelow === null) return false;
  // What is wrong with it is told in the draft.
  const quote = await intake.quote(origin, operation, values).catch(() => undefined);
  if (!quote || quote.tokens === null || quote.tokens > spendBelow) return false;
  return submit(context, draft);
}
