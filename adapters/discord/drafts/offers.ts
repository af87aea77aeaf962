import { offersFor } from "../../../src/seam/forms/offers.ts";
import { ownToken } from "../../../src/seam/text/actions.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { BLANK, type Draft } from "../../kit/drafts/draft.ts";
import { offersQuestion } from "../../kit/drafts/page-offers.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { DISCORD } from "../api/limits.ts";
import type { ReplyContext } from "../context/context.ts";
import { fit, listRow } from "../messages/components.ts";
import { plain, said } from "../messages/render.ts";
import { tell } from "../messages/tell.ts";
import { newDraft } from "./ask.ts";
import { noteShown } from "./shown.ts";

/** The mark of the menu of everything that can be made of a message's pictures. */
export const PICK = "p";

/** Offers everything that can be made of pictures. */
export async function offerAll(context: ReplyContext, pictures: readonly MediaRef[]): Promise<Draft> {
  const { memory, intake, address, say } = context;
  const given = { pictures, sounds: [] };
  const draft = await new DraftStore(memory).keep(newDraft(context, { ...BLANK, given }));
  const offers = offersFor(intake.commands, given);
  const options = offers.map(({ name, label, description }) => ({
    label: fit(say(label), DISCORD.selectText),
    description: fit(say(description), DISCORD.selectText),
    value: name,
  }));
  const components = [listRow(ownToken(PICK, draft.id), say("discord.menu.choose"), options)];
  const question = said(plain(offersQuestion(say, given, offers)), components);
  await noteShown(context, draft, await tell(context, address, question));
  return draft;
}
