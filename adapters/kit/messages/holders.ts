import { ReelayError } from "../../../src/common/errors.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { platformOf, type UserId } from "../../../src/seam/values.ts";
import type { ChatNotes } from "./notes.ts";
import { holderOf, numberOf } from "./numbers.ts";
import type { Windows } from "./windows.ts";

const [HOLDERS, CHATS, IDS] = ["holder:", "chat-of:", "id-of:"];

interface HolderParts {
  readonly log: Logger;
  readonly memory: Memory;
  readonly notes: Pick<ChatNotes, "forgetChat">;
  readonly windows: Pick<Windows, "close">;
}

/**
 * Who has a chat's number, on a platform where people are known by that, or by an id where they hide it: somebody may get another number,
 * and theirs becomes another person's, who is to see nothing of what was before. How many had one is kept: the next would be taken for the
 * first again.
 */
export class Holders {
  readonly #parts: HolderParts;

  constructor(parts: HolderParts) {
    this.#parts = parts;
  }

  /** The chat of somebody: it is named by what they were known by first. @param told their number, or their id where that is hidden */
  readonly chatOf = async (told: string, id: string | undefined): Promise<string> =>
    (id === undefined ? undefined : await this.#parts.memory.get<string>(CHATS + id)) ?? told;

  /** Hears who writes in a chat. With another id than before, it is somebody new, also where nobody said so. */
  async hear(chat: string, id: string | undefined): Promise<void> {
    const { memory } = this.#parts;
    const before = await memory.get<string>(IDS + chat);
    if (id === undefined || id === before) return;
    if (before !== undefined) await this.leave(chat);
    await memory.set(IDS + chat, id);
    await memory.set(CHATS + id, chat);
  }

  /** Which of its holders has a number now; undefined for the first. */
  now(chat: string): Promise<number | undefined> {
    return this.#parts.memory.get<number>(HOLDERS + chat);
  }

  /** @throws ReelayError `undeliverable` where a number is not of that holder's any more */
  async check(chat: string, nth: number | undefined): Promise<void> {
    if ((await this.now(chat)) !== nth) throw new ReelayError("undeliverable");
  }

  /** Hears that whoever has a number has another one from now on: nothing is said there before somebody new writes. */
  async leave(chat: string): Promise<void> {
    const before = (await this.now(chat)) ?? 0;
    const { log, memory, notes, windows } = this.#parts;
    await memory.set(HOLDERS + chat, before + 1);
    await notes.forgetChat(chat);
    await windows.close(chat, true);
    log.info("Somebody has another number now; whoever writes from theirs is somebody new");
  }

  /** Erases which id is a person's. */
  async forget(user: UserId): Promise<void> {
    const chat = numberOf(user);
    if (user !== holderOf(platformOf(user), chat, await this.now(chat))) return;
    const { memory } = this.#parts;
    const id = await memory.get<string>(IDS + chat);
    await Promise.all([memory.delete(IDS + chat), memory.delete(CHATS + id)]);
  }

  /** Nothing of it is a conversation. */
  async expire(): Promise<void> {}
}
