import type { Toast } from "./queries.ts";
import type { Post, Room, Topic } from "./room.ts";
import { seen, type SeenMessage } from "./seen.ts";
import { until } from "./waiting.ts";
import type { User } from "./wire.ts";
import type { World } from "./world.ts";

/** Where a person is: a chat, which may have moved, and a topic in it. */
export interface Place {
  /** Oldest first: a group that was upgraded leaves its old chat behind. */
  readonly rooms: readonly Room[];
  readonly topic?: Topic;
}

/** What a message must be like: a part of its text, an expression for it, or more. */
export type Matcher = string | RegExp | ((message: SeenMessage) => boolean);

/** How to wait. */
export interface Waiting {
  /** Real milliseconds; four minutes unless given. */
  readonly within?: number;
}

/** What a person did last, wherever it was. */
export interface Acts {
  /** The world's count of changes then. */
  at: number;
  searched: string;
}

/** The eyes of a person: what they see in one place, and how to wait for it. */
export class Reader {
  readonly user: User;
  protected readonly world: World;
  protected readonly place: Place;
  protected readonly acts: Acts;

  constructor(world: World, user: User, place: Place, acts: Acts) {
    this.world = world;
    this.user = user;
    this.place = place;
    this.acts = acts;
  }

  /** Everything that can be seen here, in order. */
  chat(): SeenMessage[] {
    return this.#posts().map((post) => seen(this.world.files, post));
  }

  /** What flashed up after presses, in order. */
  toasts(): Toast[] {
    return this.world.callbacks.answers(this.user.id);
  }

  /**
   * Waits for a message of the bot's, and returns the newest that matches.
   * @param fresh whether only what was posted or changed after this person's last act counts
   */
  sees(
    matcher: Matcher,
    { within, fresh = false }: Waiting & { readonly fresh?: boolean } = {},
  ): Promise<SeenMessage> {
    const matches =
      typeof matcher === "function" ? matcher : ({ text }: SeenMessage) => isLike(text, matcher);
    const look = () =>
      this.#posts()
        .filter(({ message, changedAt }) => {
          const isBots = message.from.is_bot || message.via_bot !== undefined;
          return isBots && (!fresh || changedAt > this.acts.at);
        })
        .map((post) => seen(this.world.files, post))
        .findLast(matches);
    return this.until(look, `a message like ${String(matcher)}`, within);
  }

  /** Waits until a message is gone. */
  async losesSightOf({ id }: SeenMessage, { within }: Waiting = {}): Promise<void> {
    const look = () => !this.#posts().some(({ message }) => message.message_id === id) || undefined;
    await this.until(look, `message ${id} vanish`, within);
  }

  /**
   * Waits for a toast, and returns the newest that matches.
   * @param after how many toasts of before do not count
   */
  hears(
    matcher: string | RegExp,
    { within, after = 0 }: Waiting & { readonly after?: number } = {},
  ): Promise<Toast> {
    return this.until(
      () =>
        this.toasts()
          .slice(after)
          .findLast(({ text }) => isLike(text, matcher)),
      `a toast like ${String(matcher)}`,
      within,
    );
  }

  /** Waits for something of this person's. */
  protected until<T>(look: () => T | undefined, wanted: string, within: number | undefined): Promise<T> {
    const missing = () => {
      const lines = this.chat().map(
        ({ sender, text, buttons }) => `${sender}: ${text} ${JSON.stringify(buttons)}`,
      );
      const toasts = this.toasts().map(({ text }) => `(toast) ${text}`);
      return [`${this.user.first_name} did not see ${wanted}, but:`, ...lines, ...toasts].join("\n");
    };
    // In private only what concerns this person wakes them: a thousand may wait at once.
    const [room] = this.place.rooms;
    const event = room?.chat.type === "private" ? String(this.user.id) : "change";
    return until(this.world.changes, event, look, missing, within);
  }

  /** The chat where new messages go. */
  protected get room(): Room {
    const room = this.place.rooms.at(-1);
    if (!room) throw new Error("A place has at least one chat.");
    return room;
  }

  #posts(): Post[] {
    const { rooms, topic } = this.place;
    const posts = rooms.flatMap((room) => Array.from(room.posts.values()));
    return topic ? posts.filter(({ message }) => message.message_thread_id === topic.id) : posts;
  }
}

const isLike = (text: string, matcher: string | RegExp) =>
  typeof matcher === "string" ? text.includes(matcher) : new RegExp(matcher).test(text);
