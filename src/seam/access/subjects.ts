import { partnersPerson, partnerUser } from "./partners.ts";
import { CHAT_IDS, type UserId } from "../values.ts";

const CHAT = new RegExp(
  `^(?:${Object.entries(CHAT_IDS)
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
