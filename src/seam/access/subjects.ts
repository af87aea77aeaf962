import { partnersPerson, partnerUser } from "./partners.ts";
import { CHATS, type UserId } from "../values.ts";

/** Chat platforms give numbers to people, chats and servers: each is written in one way. */
const NUMBERED = new RegExp(`^(${CHATS.join("|")}):-?[1-9]\\d*$`);
/** A partner, and perhaps what they call one of their people. */
const PARTNERS = /^http:([a-z0-9-]+)(?:\/([^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,128}))?$/iu;

/**
 * Whom somebody means who writes an id: a person, a chat or a server, a partner or one of a partner's people, named as they
 * are everywhere here. Names that people give themselves are nobody's id; they change and are given away.
 * Platforms and ids of partners are read in capitals too. What a partner calls one of their people is the partner's own: two
 * such names are one only where they are the same text (see {@link partnersPerson}), without white space around it.
 */
export function subjectNamed(text: string): UserId | undefined {
  const name = text.trim();
  const plain = name.normalize("NFKC").toLowerCase();
  if (NUMBERED.test(plain)) return plain as UserId;
  const [, partner, person] = PARTNERS.exec(name) ?? [];
  if (partner === undefined) return undefined;
  const user = partnerUser(partner.toLowerCase());
  if (person === undefined) return user;
  return person.trim() === "" ? undefined : partnersPerson(user, person.trim());
}
