import type { Form } from "../../../src/chat/views.ts";
import type { UserId } from "../../../src/chat/values.ts";
import type { Origin } from "../../../src/chat/surface.ts";
import { translator } from "../../../src/i18n.ts";
import type { DiscordAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import type { Draft, ChatContext } from "./draft.ts";
import { askPage } from "./ask.ts";

/** Asks for what a form wants, in modals. */
export async function collect(services: Services, address: DiscordAddress, form: Form): Promise<void> {
  const context = chatContext(services, address);
  const { id, values } = form;
  const isOperation = services.intake.commands.some(({ name, kind }) => name === id && kind === "operation");
  const draft: Draft = {
    id: address.asked.id,
    owner: context.origin.user,
    secret: address.secret,
    ...(isOperation ? { operation: id } : { form }),
    values,
  };
  await askPage(context, draft, 0);
}

/** Talks to somebody whose interaction is not at hand. */
function chatContext(services: Services, address: DiscordAddress): ChatContext {
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
  return { ...services, address, origin, reply: services.replies.of(address), say: translator(locale) };
}
