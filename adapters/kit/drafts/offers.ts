import type { CommandSpec } from "../../../src/seam/fields.ts";
import { fillIn, type GivenFiles, offersFor, usualOffer } from "../../../src/seam/forms/offers.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { screenAfter } from "./change.ts";
import type { Draft } from "./draft.ts";
import { DraftStore } from "./store.ts";

/** What a draft of an operation begins with, given what was sent; undefined where nothing can be made of that. */
export function beginning(
  { intake }: ChatContext,
  given: GivenFiles,
  name: string,
): Pick<Draft, "given" | "operation" | "values" | "screen"> | undefined {
  const spec = offersFor(intake.commands, given).find((offer) => offer.name === name);
  const sheet = spec && sheetOf({ operation: name }, intake.commands);
  if (!sheet) return undefined;
  const values = fillIn(spec, given);
  return { given, operation: name, values, screen: screenAfter(sheet, values) };
}

/** What somebody means by files: what they used last, if they said words to them; else the one thing that there is. */
export async function meantBy(
  { intake, memory, origin }: ChatContext,
  given: GivenFiles,
): Promise<CommandSpec | undefined> {
  const offers = offersFor(intake.commands, given);
  if (given.words === undefined) return offers.length === 1 ? offers[0] : undefined;
  return usualOffer(offers, await new DraftStore(memory).lastUsed(origin.user));
}
