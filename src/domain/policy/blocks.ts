import { partnerIdOf, partnersPerson } from "../../seam/access/partners.ts";
import type { Block } from "../../seam/access/safety.ts";
import type { Memory } from "../../common/memory.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import type { Subject } from "../accounts/subjects.ts";

/** Somebody who asks, or whose job it is. */
interface Asking extends Subject {
  /** What their partner calls them, if they have one. */
  readonly username?: string | undefined;
}

/** Who keeps somebody out: whoever runs Reelay, or the partner whose person it is. */
type BlockedBy = "host" | "partner";

/**
 * People, groups, partners and partners' people that the operator keeps out: those that the settings name, and those added
 * meanwhile. A partner keeps out their own people, and those who moderate a group keep people out of it, apart from that.
 */
export class Blocks {
  readonly #store: Memory;
  readonly #named: readonly string[];
  readonly #operators: readonly Memory[];

  /**
   * @param named those of the settings; they are not told by {@link list} and cannot be lifted here
   * @param live where the operator's are beside these, which is so for test tokens; the same goes for them
   */
  constructor(store: Memory, named: readonly string[], live?: Memory) {
    this.#store = store;
    this.#named = named;
    this.#operators = live ? [store, live] : [store];
  }

  /** Whether somebody is kept out, or the group that they are in, or their partner. */
  async has(asking: Asking): Promise<boolean> {
    return (await this.refusalOf(asking)) !== undefined;
  }

  /** Why somebody may make nothing; undefined where they may. */
  async refusalOf({ user, chat, username }: Asking): Promise<"blocked" | "blocked_here" | undefined> {
    const subjects = [user, ...(chat ? [chat] : [])];
    if (await this.#keepsOut(subjects)) return "blocked";
    if (chat && (await this.isKeptOutOf(chat, user))) return "blocked_here";
    if (username === undefined || partnerIdOf(user) === undefined) return undefined;
    return (await this.ofPerson(user, username)).length > 0 ? "blocked" : undefined;
  }

  /** Whether those who moderate a group keep somebody out of it. */
  async isKeptOutOf(chat: ChatId, user: UserId): Promise<boolean> {
    return (await this.#store.get<Block>(keyOf(user, chat))) !== undefined;
  }

  /** Whom those who moderate a group keep out of it, the latest first. */
  async keptOutOf(chat: ChatId): Promise<readonly UserId[]> {
    return (await this.list()).filter(({ by }) => by === chat).map(({ subject }) => subject);
  }

  /** Whether it is noted of somebody that anybody keeps them out of anything. */
  async isNoted(user: UserId): Promise<boolean> {
    return (await this.has({ user })) || (await this.list()).some(({ subject }) => subject === user);
  }

  /** Who keeps one of a partner's people out, not all of that partner's. */
  async ofPerson(partner: UserId, username: string): Promise<readonly BlockedBy[]> {
    const person = partnersPerson(partner, username);
    const own = await this.#store.get<Block>(keyOf(person, "partner"));
    return [
      ...((await this.#keepsOut([person])) ? ["host" as const] : []),
      ...(own ? ["partner" as const] : []),
    ];
  }

  /** Keeps somebody out. Where no reason is given, the one that was given before stays. @returns the block as it is now */
  async add(block: Block): Promise<Block> {
    const key = keyOf(block.subject, block.by);
    const reason = block.reason ?? (await this.#store.get<Block>(key))?.reason;
    const kept = { ...block, ...(reason !== undefined && { reason }) };
    await this.#store.set(key, kept);
    return kept;
  }

  /**
   * @param by whose block; left out, the operator's, with which all others go as well
   * @returns whether there was such a block
   */
  async lift(subject: Block["subject"], by?: Block["by"]): Promise<boolean> {
    const isMeant = (block: Block) => block.subject === subject && (by === undefined || block.by === by);
    return (await this.#lift(isMeant)) > 0;
  }

  /** Keeps those out of a group under its new id whom it kept out under the one before. */
  async moveGroup(from: ChatId, to: ChatId): Promise<void> {
    for (const block of await this.list()) if (block.by === from) await this.add({ ...block, by: to });
    await this.forgetGroup(from);
  }

  /** Erases whom those who moderate a group kept out of it. */
  async forgetGroup(chat: ChatId): Promise<void> {
    await this.#lift(({ by }) => by === chat);
  }

  /** The latest first. */
  async list(): Promise<readonly Block[]> {
    const blocks = (await this.#store.entries<Block>()).map(([, block]) => block);
    return blocks.sort((a, b) => b.at - a.at);
  }

  /** Erases what a partner keeps their own people out by; what the operator decided stays. */
  async forgetPartner(partner: UserId): Promise<void> {
    const beginning = partnersPerson(partner, "");
    await this.#lift(({ by, subject }) => by === "partner" && subject.startsWith(beginning));
  }

  /** @returns how many there were */
  async #lift(isMeant: (block: Block) => boolean): Promise<number> {
    const blocks = (await this.list()).filter(isMeant);
    for (const { subject, by } of blocks) await this.#store.delete(keyOf(subject, by));
    return blocks.length;
  }

  async #keepsOut(subjects: readonly UserId[]): Promise<boolean> {
    if (subjects.some((subject) => this.#named.includes(subject))) return true;
    const asked = this.#operators.flatMap((store) => subjects.map((one) => store.get<Block>(keyOf(one))));
    const kept = await Promise.all(asked);
    return kept.some((block) => block !== undefined);
  }
}

/** Ids hold no spaces before a partner's name for somebody. */
function keyOf(subject: UserId, by?: Block["by"]): string {
  return by ? `${by} ${subject}` : subject;
}
