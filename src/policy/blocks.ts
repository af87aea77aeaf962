import type { Block } from "../chat/safety.ts";
import type { Memory } from "../chat/surface.ts";
import type { Subject } from "./subjects.ts";

/** People, groups and partners that the operator keeps out: those that the settings name, and those added meanwhile. */
export class Blocks {
  readonly #store: Memory;
  readonly #named: readonly string[];

  /** @param named those of the settings; they are not told by {@link list} and cannot be lifted here */
  constructor(store: Memory, named: readonly string[]) {
    this.#store = store;
    this.#named = named;
  }

  /** Whether somebody is kept out, or the group that they are in. */
  async has({ user, chat }: Subject): Promise<boolean> {
    const subjects = [user, ...(chat ? [chat] : [])];
    if (subjects.some((subject) => this.#named.includes(subject))) return true;
    const kept = await Promise.all(subjects.map((subject) => this.#store.get<Block>(subject)));
    return kept.some((block) => block !== undefined);
  }

  async add(block: Block): Promise<void> {
    await this.#store.set(block.subject, block);
  }

  /** @returns whether there was such a block */
  async lift(subject: Block["subject"]): Promise<boolean> {
    const had = (await this.#store.get<Block>(subject)) !== undefined;
    await this.#store.delete(subject);
    return had;
  }

  /** The latest first. */
  async list(): Promise<readonly Block[]> {
    const blocks = (await this.#store.entries<Block>()).map(([, block]) => block);
    return blocks.sort((a, b) => b.at - a.at);
  }
}
