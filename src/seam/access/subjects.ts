import { partnersPerson, partnerUser } from "./partners.ts";
import type { ChatName, UserId } from "../values.ts";

/**
 * How chat platforms write the ids of people, chats and servers, each in one way. On WhatsApp a number that was somebody else's before says
 * how many had it, and who hides theirs has an id of Meta's: a country, letters and digits ("Business-scoped user IDs").
 */
const IDS: Readonly<Record<ChatName, string>> = {
  telegram: String.raw`-?[1-9]\d*`,
  discord: String.raw`[1-9]\d*`,
  whatsapp: String.raw`[1-9]\d*(?:\.[1-9]\d*)?|[A-Z]{2}\.[\w.]+`,
};
const CHAT = new RegExp(
  `^(?:${Object.entries(IDS)
    .map(([platform, id]) => `${platform}:(?:${id})`)
    .join("|")})$`,
);
/** A partner, and perhaps what they call one of their people. */
const PARTNERS = /^http:([a-z0-9-]+)(?:\/([^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,128}))?$/iu;

/** Whether it names a person, a chat or a server of a chat platform, as they are named everywhere here. */
export const isChatId = (text: string): boolean => CHAT.test(text);

/**
 * Whom somebody means who writes an id: a person, a chat or a server, a partner or one of a partner's people, named as they
 * are everywhere here. Names that people give themselves are nobody's id; they change and are given away.
 * Platforms, countries and ids of partners are read in small letters and capitals. What a partner calls one of their people is
 * the partner's own: two such names are one only where they are the same text (see {@link partnersPerson}), without white space
 * around it.
 */
export function subjectNamed(text: string): UserId | undefined {
  const name = text.trim();
  const chat = name
    .normalize("NFKC")
    .replace(/^\w+:/, (platform) => platform.toLowerCase())
    .replace(/(?<=:)[a-z]{2}(?=\.)/, (country) => country.toUpperCase());
  if (isChatId(chat)) return chat as UserId;
  const [, partner, person] = PARTNERS.exec(name) ?? [];
  if (partner === undefined) return undefined;
  const user = partnerUser(partner.toLowerCase());
  if (person === undefined) return user;
  return person.trim() === "" ? undefined : partnersPerson(user, person.trim());
}
