import type { Update } from "telegraf/types";
import type { Memory } from "../../src/chat/surface.ts";

/** How long Telegram may hand on an update again, in milliseconds (API, getUpdates: it keeps them for 24 hours). */
const REPEATED_MS = 24 * 3_600_000;

const MARK = "update:";

/**
 * Updates on disk from before Telegram hears that they arrived until they are dealt with. Those that are done
 * are remembered without their content for as long as Telegram may hand them on again.
 */
export class Inbox {
  readonly #memory: Memory;
  #last: Promise<unknown> = Promise.resolve();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Keeps updates. Returns those that are new. */
  keep(updates: readonly Update[]): Promise<readonly Update[]> {
    // One batch after the other: a webhook may get the same update on two connections at once.
    const kept = this.#last.then(() => this.#keep(updates));
    this.#last = kept.catch(() => undefined);
    return kept;
  }

  async done({ update_id: id }: Update): Promise<void> {
    await this.#memory.set(MARK + id, null, REPEATED_MS);
  }

  /** What an earlier process left, in its order. */
  async left(): Promise<readonly Update[]> {
    const entries = await this.#memory.entries<Update | null>();
    return entries
      .flatMap(([key, update]) => (key.startsWith(MARK) && update ? [update] : []))
      .toSorted((a, b) => a.update_id - b.update_id);
  }

  async #keep(updates: readonly Update[]): Promise<readonly Update[]> {
    const fresh: Update[] = [];
    for (const update of updates) {
      const key = MARK + update.update_id;
      if ((await this.#memory.get(key)) !== undefined) continue;
      await this.#memory.set(key, update);
      fresh.push(update);
    }
    return fresh;
  }
}
