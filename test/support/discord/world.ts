import { type APIUser, GatewayDispatchEvents, Locale, type UserFlags } from "discord.js";
import { EventEmitter } from "node:events";
import { Clock } from "../telegram/clock.ts";
import { Cdn } from "./cdn.ts";
import { Channel } from "./channel.ts";
import { Commands } from "./commands.ts";
import type { Guild } from "./guild.ts";
import type { Interaction } from "./interaction.ts";
import { type DiscordLiberties, USUAL } from "./liberties.ts";
import { DISCORD_LIMITS, type DiscordLimits } from "./limits.ts";
import { type Content, type Post, wireMessage } from "./post.ts";
import { unknownChannel, unknownMessage } from "./refusal.ts";
import { Snowflakes } from "./snowflakes.ts";

/** How a fake is set up. */
export interface WorldOptions {
  /** Real time for one unit of the fake's: 0.1 runs its limits ten times as fast. 1 unless given. */
  readonly timeScale?: number;
  readonly limits?: Partial<DiscordLimits>;
  /** Whether to forget the bytes of files and the log of calls: for load. */
  readonly lean?: boolean;
  /** What the description leaves open. Default: what is usual. */
  readonly liberties?: DiscordLiberties;
}

/** What stands behind an account that writes messages. */
export type AccountKind = "person" | "bot" | "webhook";

/** What the gateway is to tell, and whom it concerns: a guild's shard, or the first. */
export interface Event {
  readonly name: GatewayDispatchEvents;
  readonly data: object;
  readonly guild: Guild | undefined;
}

/** Where and by whom something is posted. */
export type Placement = Pick<Post, "author" | "type"> &
  Partial<Pick<Post, "visibleTo" | "replyTo" | "nonce" | "interaction">>;

/** Everything that Discord's servers know. */
export class World {
  readonly limits: DiscordLimits;
  readonly liberties: DiscordLiberties;
  readonly clock: Clock;
  readonly cdn: Cdn;
  readonly snowflakes = new Snowflakes();
  readonly bot: APIUser;
  readonly applicationId: string;
  /** Of the key pair that signs interactions over HTTP: hex. */
  readonly publicKey: string;
  /** Where interactions are sent over HTTP, rather than over the gateway. */
  endpoint: string | undefined;
  readonly commands: Commands;
  readonly people = new Map<string, APIUser>();
  /** Those of them that are webhooks. */
  readonly webhooks = new Set<string>();
  readonly #locales = new Map<string, Locale>();
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  /** By token, in order. */
  readonly interactions = new Map<string, Interaction>();
  /** Emits "change" at every change, and the ids of the people and the interaction that it concerns. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  /** Counts the changes. */
  tick = 0;
  /** Set by the gateway. */
  onEvent: (event: Event) => void = () => {};
  /** Set by whatever brings interactions to the bot: the gateway, or an endpoint over HTTP. */
  onInteraction: (interaction: Interaction) => void = () => {};
  readonly #conversations = new Map<string, Channel>();

  constructor(publicKey: string, { timeScale = 1, limits, lean = false, liberties = USUAL }: WorldOptions) {
    this.liberties = liberties;
    this.publicKey = publicKey;
    this.limits = { ...DISCORD_LIMITS, ...limits };
    this.clock = new Clock(timeScale);
    this.cdn = new Cdn(this.clock, this.limits, !lean);
    this.applicationId = this.id();
    this.bot = { ...user(this.applicationId, "Reelay"), bot: true };
    this.commands = new Commands(this);
  }

  /** A new id. */
  id(): string {
    return this.snowflakes.next(this.clock.now());
  }

  /** @param kind what stands behind the account */
  addPerson(name: string, locale: Locale, kind: AccountKind = "person"): APIUser {
    const isBare = this.liberties.user === "bare";
    const account = { ...user(this.id(), name), ...(isBare && { global_name: null }) };
    const person = kind === "bot" ? { ...account, bot: true } : account;
    if (kind === "webhook") this.webhooks.add(person.id);
    this.people.set(person.id, person);
    this.#locales.set(person.id, locale);
    return person;
  }

  localeOf({ id }: APIUser): Locale {
    return this.#locales.get(id) ?? Locale.EnglishUS;
  }

  /** Somebody's conversation with the bot. */
  conversation(person: APIUser): Channel {
    let channel = this.#conversations.get(person.id);
    if (!channel) {
      channel = new Channel(this, { recipients: [person], withBot: true });
      this.#conversations.set(person.id, channel);
      this.channels.set(channel.id, channel);
    }
    return channel;
  }

  /**
   * The channel that a call names.
   * @throws Refusal 10003
   */
  channel(id: string | undefined): Channel {
    const channel = this.channels.get(id ?? "");
    if (!channel) throw unknownChannel();
    return channel;
  }

  /**
   * A message that a call names; what is ephemeral is in no channel.
   * @throws Refusal 10008
   */
  post(channel: Channel, id: string | undefined): Post {
    const post = channel.posts.get(id ?? "");
    if (!post || post.visibleTo !== undefined) throw unknownMessage();
    return post;
  }

  /** Posts a message; who may do so was checked before. */
  add(channel: Channel, shown: Content, placement: Placement): Post {
    const post: Post = {
      visibleTo: undefined,
      replyTo: undefined,
      nonce: undefined,
      interaction: undefined,
      ...placement,
      id: this.id(),
      channel,
      at: this.clock.now(),
      shown,
      editedAt: undefined,
      history: [],
      changedAt: this.tick + 1,
    };
    channel.posts.set(post.id, post);
    this.touch(...readersOf(post));
    this.#tellOfPost(GatewayDispatchEvents.MessageCreate, post);
    return post;
  }

  /** Replaces what a message shows, and keeps what it showed before. */
  revise(post: Post, shown: Content): void {
    post.history.push(post.shown);
    post.shown = shown;
    post.editedAt = this.clock.now();
    post.changedAt = this.touch(...readersOf(post));
    this.#tellOfPost(GatewayDispatchEvents.MessageUpdate, post);
  }

  remove(post: Post): void {
    const { channel, id, visibleTo } = post;
    channel.posts.delete(id);
    this.touch(...readersOf(post));
    if (visibleTo !== undefined || !channel.knowsBot) return;
    const data = { id, channel_id: channel.id, ...(channel.guild && { guild_id: channel.guild.id }) };
    this.tell(GatewayDispatchEvents.MessageDelete, data, channel.guild);
  }

  /** Tells the bot of something, as far as its intents and its membership let it know. */
  tell(name: GatewayDispatchEvents, data: object, guild: Guild | undefined): void {
    const isParting = name === GatewayDispatchEvents.GuildDelete;
    if (guild && !guild.hasBot && !isParting) return;
    this.onEvent({ name, data, guild });
  }

  /** Tells of a message once more, as a resumed connection may. */
  repeat(post: Post): void {
    this.#tellOfPost(GatewayDispatchEvents.MessageCreate, post);
  }

  /** Counts a change, and wakes those who wait for one. Returns the count. */
  touch(...concerned: readonly string[]): number {
    this.tick += 1;
    this.changes.emit("change");
    for (const id of concerned) this.changes.emit(id);
    return this.tick;
  }

  /** Lets time pass at once, in milliseconds. */
  passTime(ms: number): void {
    this.clock.pass(ms);
    this.touch(...[...this.interactions.values()].map(({ id }) => id));
  }

  #tellOfPost(name: GatewayDispatchEvents, post: Post): void {
    const { channel, author } = post;
    if (!channel.knowsBot || post.visibleTo !== undefined) return;
    const { guild } = channel;
    const member = guild?.member(author);
    const data = {
      ...wireMessage(this, post),
      channel_type: channel.type,
      ...(guild && { guild_id: guild.id, member }),
    };
    this.tell(name, data, guild);
  }
}

/** Whoever can see a message. */
function readersOf({ visibleTo, channel: { guild, recipients } }: Post): Iterable<string> {
  if (visibleTo !== undefined) return [visibleTo];
  return guild ? guild.members.keys() : recipients.map(({ id }) => id);
}

const NO_FLAGS = 0 as UserFlags;

const user = (id: string, name: string): APIUser => ({
  id,
  username: name.toLowerCase(),
  global_name: name,
  discriminator: "0",
  avatar: null,
  public_flags: NO_FLAGS,
  flags: NO_FLAGS,
  primary_guild: null,
});
