import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { Clock } from "./clock.ts";
import { Files } from "./files.ts";
import { FloodControl } from "./flood.ts";
import { Inbox } from "./inbox.ts";
import { type TelegramLiberties, USUAL } from "./liberties.ts";
import { TELEGRAM_LIMITS, type TelegramLimits } from "./limits.ts";
import { Profile } from "./profile.ts";
import { Queries, type Toast } from "./queries.ts";
import { badRequest } from "./refusal.ts";
import { Room, type Post } from "./room.ts";
import { contentOf, withoutContent } from "./shown.ts";
import type { Chat, ChatMember, Content, Message, User } from "./wire.ts";

/** How a fake differs from Telegram as it is. */
export interface WorldOptions {
  /** Real time for one unit of the fake's: 0.1 runs its limits ten times as fast. 1 unless given. */
  readonly timeScale?: number;
  readonly limits?: Partial<TelegramLimits>;
  /** Whether it is a local Bot API server: uploads to 2000 MB, any download, paths on the disk. */
  readonly local?: boolean;
  /** Whether to forget the bytes of uploads and the log of calls: for thousands of people. */
  readonly lean?: boolean;
  /** What the description leaves open. Default: what is usual. */
  readonly liberties?: TelegramLiberties;
}

/** How a message stands in its chat. */
export interface Placement {
  readonly topic?: number | undefined;
  readonly replyTo?: Message | undefined;
  readonly album?: string | undefined;
  /** Set when it came from the bot's inline mode. */
  readonly inline?: boolean | undefined;
}

/** The bot's answer to an inline query, as it came. */
export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  readonly next_offset?: string;
  readonly button?: { readonly text: string; readonly start_parameter?: string };
}

/** One result of an inline query. */
export interface InlineResult {
  readonly id: string;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly input_message_content?: { readonly message_text: string; readonly parse_mode?: string };
  readonly caption?: string;
  readonly parse_mode?: string;
  readonly reply_markup?: Content["reply_markup"];
}

/** Everything that Telegram's servers know: chats, messages, files, and what the bot has not heard yet. */
export class World {
  readonly limits: TelegramLimits;
  readonly liberties: TelegramLiberties;
  readonly clock: Clock;
  readonly files: Files;
  readonly flood: FloodControl;
  readonly inbox: Inbox;
  readonly profile = new Profile();
  readonly callbacks: Queries<Toast>;
  readonly searches: Queries<InlineAnswer>;
  readonly bot: User;
  /** The bot's: what opens a Mini App is signed with it. */
  readonly token: string;
  readonly rooms = new Map<number, Room>();
  readonly inline = new Map<string, { room: Room; post: Post }>();
  /** Emits "change" at every change, and the chat's id as a string. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  /** Counts the changes. */
  tick = 0;

  constructor(
    bot: User,
    token: string,
    { timeScale = 1, limits, local = false, lean = false, liberties = USUAL }: WorldOptions,
  ) {
    this.bot = bot;
    this.token = token;
    this.liberties = liberties;
    this.limits = {
      ...TELEGRAM_LIMITS,
      ...(local && { uploadBytes: TELEGRAM_LIMITS.localUploadBytes }),
      ...limits,
    };
    this.clock = new Clock(timeScale);
    this.files = new Files(this.clock, this.limits, local, !lean, liberties);
    this.flood = new FloodControl(this.clock, this.limits);
    this.inbox = new Inbox(this.clock, liberties);
    this.callbacks = new Queries(this.clock, this.limits);
    this.searches = new Queries(this.clock, this.limits);
  }

  addRoom(chat: Chat, admin?: boolean, barrier?: Room["barrier"]): Room {
    const room = new Room(chat, admin, barrier);
    this.rooms.set(chat.id, room);
    return room;
  }

  /**
   * The chat that a call names.
   * @throws Refusal when there is none, or the bot may not act in it
   */
  room(chatId: number | string): Room {
    const room = this.rooms.get(Number(chatId));
    if (!room) throw badRequest("chat not found");
    room.checkReachable();
    return room;
  }

  /** Posts a message; who may do so was checked before. */
  post(room: Room, from: User, content: Content, placement: Placement = {}): Post {
    const { topic, replyTo, album, inline } = placement;
    const message: Message = {
      message_id: room.nextId(),
      date: this.clock.seconds(),
      chat: room.chat,
      from,
      ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true }),
      ...(replyTo && quoting(replyTo, room.chat)),
      ...(album !== undefined && { media_group_id: album }),
      ...(inline && { via_bot: this.bot }),
      ...content,
    };
    const post: Post = {
      message,
      history: [],
      inlineId: inline ? randomUUID() : undefined,
      reaction: undefined,
      changedAt: 0,
    };
    room.posts.set(message.message_id, post);
    if (post.inlineId !== undefined) this.inline.set(post.inlineId, { room, post });
    this.#changed(room, post);
    return post;
  }

  /** Replaces what a message shows, and keeps what it showed before. */
  revise(room: Room, post: Post, content: Content): void {
    post.history.push(contentOf(post.message));
    post.message = { ...withoutContent(post.message), edit_date: this.clock.seconds(), ...content };
    this.#changed(room, post);
  }

  /** Shows the bot's reaction to a message; none for undefined. It is no edit. */
  react(room: Room, post: Post, emoji: string | undefined): void {
    post.reaction = emoji;
    this.touch(room.chat.id);
  }

  remove(room: Room, id: number): void {
    const post = room.posts.get(id);
    if (!post) return;
    room.posts.delete(id);
    this.#changed(room, post);
  }

  /** Tells the bot of a person's message, if it may read it. */
  hear(room: Room, message: Message, kind: "message" | "edited_message" = "message"): void {
    if (room.barrier || room.migratedTo) return;
    if (room.chat.type !== "private" && !room.admin && !this.#concernsBot(message)) return;
    this.inbox.push(room.chat.id, { [kind]: message });
    // Such as when the preview of a link was made.
    if (kind === "message" && this.liberties.editsUnasked)
      this.inbox.push(room.chat.id, { edited_message: { ...message, edit_date: message.date } });
  }

  /** Tells the bot that it was added, removed or blocked. */
  tellMembership(room: Room, from: User, before: ChatMember["status"], after: ChatMember["status"]): void {
    this.inbox.push(room.chat.id, {
      my_chat_member: {
        chat: room.chat,
        from,
        date: this.clock.seconds(),
        old_chat_member: { user: this.bot, status: before },
        new_chat_member: { user: this.bot, status: after },
      },
    });
  }

  /** Wakes those who wait for something to be seen in a chat. */
  touch(chatId: number): void {
    this.tick += 1;
    this.changes.emit(String(chatId));
    this.changes.emit("change");
  }

  #changed(room: Room, post: Post): void {
    post.changedAt = this.tick + 1;
    this.touch(room.chat.id);
  }

  /** FAQ, "privacy mode": service messages, replies to the bot, what came through it, commands and mentions. */
  #concernsBot(message: Message): boolean {
    const isService = Object.keys(contentOf(message)).length === 0;
    const answersBot = message.reply_to_message?.from.id === this.bot.id;
    if (isService || answersBot || message.via_bot) return true;
    const said = message.text ?? message.caption ?? "";
    const command = /^\/\w+(?:@(?<addressee>\w+))?/.exec(said);
    if (command) return (command.groups?.["addressee"] ?? this.bot.username) === this.bot.username;
    return said.includes(`@${this.bot.username}`);
  }
}

/** What a message that replies to another says of it. */
function quoting(quoted: Message, { id }: Chat): Pick<Message, "reply_to_message" | "external_reply"> {
  const { chat, date, from, message_id } = quoted;
  if (chat.id === id) return { reply_to_message: quoted };
  const origin = { type: "user", date, sender_user: from } as const;
  return { external_reply: { origin, ...(chat.type === "supergroup" && { chat, message_id }) } };
}
