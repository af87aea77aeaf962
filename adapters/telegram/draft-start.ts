import type { Values } from "../../src/chat/values.ts";
import { ReelayError } from "../../src/errors.ts";
import { addressOf, type TelegramAddress } from "./address.ts";
import type { Visit } from "./desk.ts";
import { type Draft, type Given, sheetOf } from "./draft.ts";
import { screenAfter } from "./draft-change.ts";
import { type NewDraft, openDraft } from "./draft-message.ts";
import { lastUsed } from "./draft-store.ts";
import { submit } from "./draft-submit.ts";
import { at, type Talk } from "./draft-talk.ts";
import { firstMissing } from "./fields.ts";
import { fillIn, offersFor, usualOffer } from "./offers.ts";

const NOTHING: Given = { pictures: [], sounds: [] };

/**
 * Starts a draft of an operation.
 * @param values what is filled in already
 * @throws ReelayError `unknown_command`
 */
export async function startDraft(visit: Visit, operation: string, values: Values): Promise<void> {
  if (!visit.intake.commands.some(({ name }) => name === operation))
    throw new ReelayError("unknown_command", { name: operation });
  await openDraft(visit, addressOf(visit.origin.address), begun(visit, operation, values));
}

/**
 * Starts with what a person sent. With words to it, it is clear what is meant: that begins at once where it costs
 * no more than they allowed; else, and without words, they are asked.
 */
export async function startWith(
  talk: Talk,
  address: TelegramAddress,
  given: Given,
  seconds: Draft["seconds"] = {},
): Promise<void> {
  const { intake, memory, origin } = talk;
  const offers = offersFor(intake.commands, given);
  const [only, ...others] = offers;
  const meant =
    given.words === undefined
      ? others.length === 0
        ? only
        : undefined
      : usualOffer(offers, await lastUsed(memory, origin.user));
  if (!meant) {
    return openDraft(talk, address, { given, values: {}, screen: { show: "main" }, seconds });
  }
  const draft = { ...begun(talk, meant.name, fillIn(meant, given)), given, seconds };
  if (given.words !== undefined && (await beginsAtOnce(at(talk, address), draft))) return;
  await openDraft(talk, address, draft);
}

function begun(
  { intake }: Talk,
  operation: string,
  values: Values,
): NewDraft & { readonly operation: string } {
  const draft = { operation, values, given: NOTHING, screen: { show: "main" }, seconds: {} } as const;
  const sheet = sheetOf(draft, intake.commands);
  return { ...draft, ...(sheet && { screen: screenAfter(sheet, values) }) };
}

/** Submits what is complete and cheap enough for this person. @returns whether it was taken */
async function beginsAtOnce(talk: Talk, draft: NewDraft & { readonly operation: string }): Promise<boolean> {
  const { intake, origin } = talk;
  const { operation, values } = draft;
  const sheet = sheetOf(draft, intake.commands);
  if (!sheet || firstMissing(sheet.fields, values)) return false;
  const { spendBelow } = await intake.preferences(origin);
  if (spendBelow === null) return false;
  const quote = await intake.quote(origin, operation, values).catch(() => undefined);
  if (!quote || quote.tokens === null || quote.tokens > spendBelow) return false;
  return submit(talk, draft);
}
