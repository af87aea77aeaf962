import { ReelayError } from "../../../src/common/errors.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import type { ChatNotes } from "./notes.ts";
import type { Windows } from "./windows.ts";

const HOLDERS = "holder:";

interface HolderParts {
  readonly log: Logger;
  readonly memory: Memory;
  readonly notes: Pick<ChatNotes, "forgetChat">;
  readonly windows: Pick<Windows, "close">;
}

/**
 * Who has a chat's number, on a platform where people are known by that alone: somebody may get another one, and theirs becomes another
 * person's, who is to see nothing of what was before. Nobody is forgotten here: the next one would be taken for the first again.
 */
export class Holders {
  readonly #parts: HolderParts;

  constructor(parts: HolderParts) {
    this.#parts = parts;
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
}
