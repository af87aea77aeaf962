import { InteractionType } from "discord.js";
import { withPictures } from "../../../src/seam/forms/filling.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type Handler, idOf, type InteractionContext } from "../context/context.ts";
import { BLANK } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { askPage, newDraft } from "../drafts/ask.ts";
import { offerAll, PICK } from "../drafts/offers.ts";
import { menuCallOf, picturesIn, RESULTS, usualFor } from "../commands/menus.ts";
import { deliver } from "../messages/post.ts";

/** What is chosen under a message. */
export const menuHandler: Handler = async (context) => {
  const call = menuCallOf(context.interaction);
  if (!call) return false;
  const pictures = picturesIn(context.host, call.message);
  if (pictures.length === 0)
    await deliver(context, context.address, { kind: "notice", text: { key: "discord.menu.no_picture" } });
  else if (call.menu === "make") await offerAll(context, pictures);
  else await make(context, pictures, usualFor(context.intake.commands, RESULTS[call.menu])?.name);
  return true;
};

/** What was picked for the pictures of a message. It may be done again: each time is a draft of its own. */
export const pickHandler: Handler = async (context) => {
  const id = idOf(context, PICK);
  const { interaction } = context;
  if (
    id === undefined ||
    interaction.type !== InteractionType.MessageComponent ||
    !("values" in interaction.data)
  )
    return false;
  const { given } = await new DraftStore(context.memory).own(context.origin, id);
  await make(context, given.pictures, interaction.data.values[0]);
  return true;
};

/** Asks for everything else that an operation needs. What is made is for all to see: so was the message. */
async function make(
  context: InteractionContext,
  pictures: readonly MediaRef[],
  operation: string | undefined,
): Promise<void> {
  const spec = context.intake.commands.find(({ name, kind }) => name === operation && kind === "operation");
  if (!spec) throw new ReelayError("stale_button");
  const values = withPictures(spec.fields, pictures);
  await askPage(context, newDraft(context, { ...BLANK, operation: spec.name, values }), 0);
}
