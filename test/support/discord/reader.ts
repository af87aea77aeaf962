import type { APIUser, Locale } from "discord.js";
import { until } from "../telegram/waiting.ts";
import type { Channel } from "./channel.ts";
import type { Post } from "./post.ts";
import { seen, type SeenMessage } from "./seen.ts";
import type { World } from "./world.ts";

/** What a message must be like: a part of its text or of an embed's, an expression for it, or more. */
export type Matcher = string | RegExp | ((message: SeenMessage) => boolean);

/** Where to do something: the conversation with the bot, unless given. */
export interface There {
  readonly in?: Channel;
}

/** How to wait. */
export interface Waiting {
  /** Real milliseconds; four minutes unless given. */
  readonly within?: number;
}

/** The eyes of a person: what they see, and how to wait for it. */
export class Reader {
  readonly user: APIUser;
  readonly locale: Locale;
  protected readonly world: World;
  /** The world's count of changes when this person last did something. */
  protected actedAt = 0;

  constructor(world: World, user: APIUser, locale: Locale) {
    this.world = world;
    this.user = user;
    this.locale = locale;
  }

  /** Everything that this person can see, in one channel or everywhere, in order. */
  chat({ in: channel }: There = {}): SeenMessage[] {
    return this.#posts(channel).map((post) => seen(this.world, post));
  }

  /**
   * Waits for a message of the bot's, and returns the newest that matches.
   * @param fresh whether only what was posted or changed after this person's last act counts
   */
  sees(
    matcher: Matcher,
    { within, fresh = false, in: channel }: Waiting & There & { readonly fresh?: boolean } = {},
  ): Promise<SeenMessage> {
    const matches = typeof matcher === "function" ? matcher : (one: SeenMessage) => isLike(one, matcher);
    const look = () => {
      for (const post of this.#posts(channel).toReversed()) {
        if (post.author !== this.world.bot || (fresh && post.changedAt <= this.actedAt)) continue;
        const message = seen(this.world, post);
        if (matches(message)) return message;
      }
      return undefined;
    };
    return this.until(look, `a message like ${String(matcher)}`, within);
  }

  /** Waits until a message is gone. */
  async losesSightOf({ id }: SeenMessage, { within }: Waiting = {}): Promise<void> {
    const look = () => !this.#posts(undefined).some((post) => post.id === id) || undefined;
    await this.until(look, `message ${id} vanish`, within);
  }

  /**
   * Waits for something of this person's.
   * @param event what wakes them: whatever they can see, unless given. A thousand may wait at once
   */
  protected until<T>(
    look: () => T | undefined,
    wanted: string,
    within?: number,
    event = this.user.id,
  ): Promise<T> {
    const missing = () => {
      const lines = this.chat().map(
        ({ sender, text, buttons, embeds }) =>
          `${sender}: ${text} ${JSON.stringify(embeds)} ${JSON.stringify(buttons)}`,
      );
      return [`${this.user.username} did not see ${wanted}, but:`, ...lines].join("\n");
    };
    return until(this.world.changes, event, look, missing, within);
  }

  #posts(only: Channel | undefined): Post[] {
    const channels = only ? [only] : [...this.world.channels.values()].filter((one) => this.#isIn(one));
    return channels
      .flatMap(({ posts }) => Array.from(posts.values()))
      .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === this.user.id)
      .toSorted((a, b) => a.at - b.at || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  #isIn({ guild, recipients }: Channel): boolean {
    return guild?.members.has(this.user.id) ?? recipients.some(({ id }) => id === this.user.id);
  }
}

/** The words of a message, and those of its embeds. */
function isLike({ text, embeds }: SeenMessage, matcher: string | RegExp): boolean {
  const words = [
    text,
    ...embeds.flatMap(({ title, description, fields, footer }) => [
      title ?? "",
      description ?? "",
      ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
      footer?.text ?? "",
    ]),
  ].join("\n");
  return typeof matcher === "string" ? words.includes(matcher) : new RegExp(matcher).test(words);
}
