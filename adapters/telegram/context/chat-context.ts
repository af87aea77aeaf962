import type { Origin } from "../../../src/chat/surface.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { translator, type Translate } from "../../../src/i18n.ts";
import { addressOf, type TelegramAddress } from "./address.ts";
import type { Office } from "./context.ts";

/** Somebody in a chat, with everything needed to talk to them. A visit is one. */
export interface Talk extends Office {
  readonly origin: Origin;
  readonly say: Translate;
}

/** Talks to somebody whose update is not at hand. */
export function talkTo(office: Office, user: UserId, address: TelegramAddress): Talk {
  const { chat, locale } = address;
  const isGroup = chat < 0;
  const origin: Origin = {
    platform: "telegram",
    user,
    address,
    locale,
    audience: isGroup ? "group" : "private",
    ...(isGroup && { chat: `telegram:${chat}` as const }),
  };
  return { ...office, origin, say: translator(locale) };
}

/** The same person, where something else is answered; in the language that they speak now. */
export function at<T extends Talk>(talk: T, place: TelegramAddress): T {
  const { locale } = addressOf(talk.origin.address);
  return { ...talk, origin: { ...talk.origin, address: { ...addressOf(place), locale } } };
}
