import type { Update } from "telegraf/types";
import type { Memory } from "../../../src/common/memory.ts";

/** Groups that became supergroups: the ledger may know them by their old id for ever. */
export class Moves {
  readonly #memory: Memory;
  /** What was looked up, also of those that did not move. */
  readonly #known = new Map<number, number>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The id that a chat has today. */
  async today(chat: number): Promise<number> {
    // Only groups move; they have negative ids.
    if (chat > 0) return chat;
    const known = this.#known.get(chat);
    if (known !== undefined) return known;
    const moved = (await this.#memory.get<number>(keyOf(chat))) ?? chat;
    this.#known.set(chat, moved);
    return moved;
  }

  /** Notes what a group says itself when it moves. */
  async hear(update: Update): Promise<void> {
    if (!("message" in update) || !("migrate_to_chat_id" in update.message)) return;
    await this.remember(update.message.chat.id, update.message.migrate_to_chat_id);
  }

  async remember(chat: number, moved: number): Promise<void> {
    await this.#memory.set(keyOf(chat), moved);
    this.#known.set(chat, moved);
  }
}

const keyOf = (chat: number) => `moved:${chat}`;
