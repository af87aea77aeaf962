import { partnerIdOf, partnersPerson } from "../../seam/access/partners.ts";
import type { Block } from "../../seam/access/safety.ts";
import type { Memory } from "../../common/memory.ts";
import type { UserId } from "../../seam/values.ts";
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
 * meanwhile. A partner keeps out their own people, apart from that.
 */
export class Blocks {
  readonly #store: Memory;
  readonly #named: readonly string[];

  /** @param named those of the settings; they are not told by {@link list} and cannot be lifted here */
  constructor(store: Memory, named: readonly string[]) {
    this.#store = store;
    this.#named = named;
  }

  /** Whether somebody is kept out, or the group that they are in, or their partner. */
  async has({ user, chat, username }: Asking): Promise<boolean> {
    const subjects = [user, ...(chat ? [chat] : [])];
    if (await this.#keepsOut(subjects)) return true;
    if (username === undefined || partnerIdOf(user) === undefined) return false;
    return (await this.ofPerson(user, username)).length > 0;
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

  async add(block: Block): Promise<void> {
    await this.#store.set(keyOf(block.subject, block.by), block);
  }

  /**
   * @param by whose block; left out, the operator's, with which the partner's goes as well
   * @returns whether there was such a block
   */
  async lift(subject: Block["subject"], by?: "partner"): Promise<boolean> {
    const keys = by ? [keyOf(subject, by)] : [keyOf(subject), keyOf(subject, "partner")];
    const had = await Promise.all(keys.map((key) => this.#store.get<Block>(key)));
    for (const key of keys) await this.#store.delete(key);
    return had.some((block) => block !== undefined);
  }

  /** The latest first. */
  async list(): Promise<readonly Block[]> {
    const blocks = (await this.#store.entries<Block>()).map(([, block]) => block);
    return blocks.sort((a, b) => b.at - a.at);
  }

  /** Erases what a partner keeps their own people out by; what the operator decided stays. */
  async forgetPartner(partner: UserId): Promise<void> {
    const beginning = keyOf(partnersPerson(partner, ""), "partner");
    for (const [key] of await this.#store.entries<Block>())
      if (key.startsWith(beginning)) await this.#store.delete(key);
  }

  async #keepsOut(subjects: readonly UserId[]): Promise<boolean> {
    if (subjects.some((subject) => this.#named.includes(subject))) return true;
    const kept = await Promise.all(subjects.map((subject) => this.#store.get<Block>(keyOf(subject))));
    return kept.some((block) => block !== undefined);
  }
}

/** Ids hold no spaces before a partner's name for somebody. */
function keyOf(subject: UserId, by?: "partner"): string {
  return by ? `${by} ${subject}` : subject;
}
