import type { Form } from "../../../src/chat/views.ts";
import type { UserId } from "../../../src/chat/values.ts";
import type { Origin } from "../../../src/chat/surface.ts";
import { translator } from "../../../src/i18n.ts";
import type { DiscordAddress } from "../context/address.ts";
import type { Office } from "../context/context.ts";
import type { Draft, Talk } from "./draft.ts";
import { askPage } from "./ask.ts";

/** Asks for what a form wants, in modals. */
export async function collect(office: Office, address: DiscordAddress, form: Form): Promise<void> {
  const talk = talkTo(office, address);
  const { id, values } = form;
  const isOperation = office.intake.commands.some(({ name, kind }) => name === id && kind === "operation");
  const draft: Draft = {
    id: address.asked.id,
    owner: talk.origin.user,
    secret: address.secret,
    ...(isOperation ? { operation: id } : { form }),
    values,
  };
  await askPage(talk, draft, 0);
}

/** Talks to somebody whose deed is not at hand. */
function talkTo(office: Office, address: DiscordAddress): Talk {
  const { user, guild, channel, inConversation, locale } = address;
  const owner: UserId = `discord:${user}`;
  const origin: Origin = {
    platform: "discord",
    user: owner,
    address,
    locale,
    audience: inConversation ? "private" : "group",
    ...(!inConversation && { chat: `discord:${guild ?? channel}` as const, room: channel }),
  };
  return { ...office, address, origin, reply: office.replies.of(address), say: translator(locale) };
}
