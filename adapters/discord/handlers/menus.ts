import { type APISelectMenuOption, ComponentType, InteractionType } from "discord.js";
import { withPictures } from "../../../src/chat/filling.ts";
import { offersFor, usable } from "../../../src/chat/offers.ts";
import type { MediaRef } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import { fit } from "../messages/components.ts";
import { type Clerk, idOf, ownId, type Visit } from "../context/context.ts";
import { askPage } from "../drafts/ask.ts";
import { keepOffered, ownOffered } from "../drafts/store.ts";
import { DISCORD } from "../api/limits.ts";
import { menuCallOf, picturesIn, RESULTS, usualFor } from "../commands/menus.ts";
import { deliver } from "../messages/post.ts";
import { plain, said } from "../messages/render.ts";
import { tell } from "../messages/tell.ts";

/** The mark of the menu of everything that can be made of a message's pictures. */
export const PICK = "p";

/** What is chosen under a message. */
export const menuClerk: Clerk = async (visit) => {
  const call = menuCallOf(visit.deed);
  if (!call) return false;
  const pictures = picturesIn(visit.host, call.message);
  if (pictures.length === 0)
    await deliver(visit, visit.address, { kind: "notice", text: { key: "discord.menu.no_picture" } });
  else if (call.menu === "make") await offer(visit, pictures);
  else await make(visit, pictures, usualFor(visit.intake.commands, RESULTS[call.menu])?.name);
  return true;
};

/** What was picked for the pictures of a message. It may be done again: each time is a draft of its own. */
export const pickClerk: Clerk = async (visit) => {
  const id = idOf(visit, PICK);
  const { deed } = visit;
  if (id === undefined || deed.type !== InteractionType.MessageComponent || !("values" in deed.data))
    return false;
  const { pictures } = await ownOffered(visit, id);
  await make(visit, pictures, deed.data.values[0]);
  return true;
};

/** Asks for everything else that an operation needs. What is made is for all to see: so was the message. */
async function make(
  visit: Visit,
  pictures: readonly MediaRef[],
  operation: string | undefined,
): Promise<void> {
  const spec = visit.intake.commands.find(({ name, kind }) => name === operation && kind === "operation");
  if (!spec) throw new ReelayError("stale_button");
  const { origin, address } = visit;
  const values = withPictures(spec.fields, pictures);
  const draft = { id: address.asked.id, owner: origin.user, secret: false, operation: spec.name, values };
  await askPage(visit, draft, 0);
}

async function offer(visit: Visit, pictures: readonly MediaRef[]): Promise<void> {
  const { memory, intake, origin, address, say } = visit;
  const { id } = address.asked;
  await keepOffered(memory, { id, owner: origin.user, pictures });
  const given = { pictures, sounds: [] };
  const offers = offersFor(intake.commands, given);
  const used = usable(offers, given);
  const question = [
    say("offers.pictures", { count: pictures.length }),
    ...(used < pictures.length ? [say("offers.first", { count: used })] : []),
  ];
  const options = offers.map(({ name, label, description }): APISelectMenuOption => ({
    label: fit(say(label), DISCORD.selectText),
    description: fit(say(description), DISCORD.selectText),
    value: name,
  }));
  const menu = {
    type: ComponentType.StringSelect,
    custom_id: ownId(PICK, id),
    placeholder: fit(say("discord.menu.choose"), DISCORD.placeholder),
    options,
  } as const;
  const components = [{ type: ComponentType.ActionRow as const, components: [menu] }];
  await tell(visit, address, { ...said(plain(question.join(" "))), components });
}
