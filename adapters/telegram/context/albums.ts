import type { Update } from "telegraf/types";
import { Line } from "../../../src/common/line.ts";

/** What an album is known by. */
export interface AlbumKey {
  readonly chat: number;
  /** What Telegram calls it. */
  readonly group: string;
}

/** The album that an update brings a part of. */
export function albumOf(update: Update): AlbumKey | undefined {
  const message = "message" in update ? update.message : undefined;
  if (!message || !("media_group_id" in message) || message.media_group_id === undefined) return undefined;
  return { chat: message.chat.id, group: message.media_group_id };
}

/** Albums of which something is under way in this process: parts that arrived and are not dealt with, or a change. */
export class BusyAlbums {
  readonly #counts = new Map<string, number>();
  readonly #waits = new Map<string, NodeJS.Timeout>();
  readonly #line = new Line();

  begin(album: AlbumKey): void {
    this.#count(album, 1);
  }

  end(album: AlbumKey): void {
    this.#count(album, -1);
  }

  has(album: AlbumKey): boolean {
    return this.#counts.has(keyOf(album));
  }

  /** Changes or shows an album after whatever was begun with it before: a part is in what is shown, or finds it shown. */
  inTurn<T>(album: AlbumKey, task: () => Promise<T>): Promise<T> {
    return this.#line.run(keyOf(album), task);
  }

  /** Calls back when an album was not waited for anew for so many milliseconds. */
  wait(album: AlbumKey, ms: number, after: () => void): void {
    const key = keyOf(album);
    clearTimeout(this.#waits.get(key));
    const timer = setTimeout(() => {
      this.#waits.delete(key);
      after();
    }, ms);
    this.#waits.set(key, timer.unref());
  }

  #count(album: AlbumKey, change: 1 | -1): void {
    const key = keyOf(album);
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

const keyOf = ({ chat, group }: AlbumKey) => `${chat}:${group}`;
