import { badRequest, forbidden, Refusal } from "./refusal.ts";
import type { Chat, Content, Message, User } from "./wire.ts";

/** A message with what its readers do not see. */
export interface Post {
  message: Message;
  /** What it showed before each edit, oldest first. */
  readonly history: Content[];
  /** For messages sent through inline mode: how the bot edits them. */
  readonly inlineId: string | undefined;
  /** The bot's reaction to it. */
  reaction: string | undefined;
  /** When it was posted or last changed, as the world counts changes. */
  changedAt: number;
}

/** A topic of a forum. */
export interface Topic {
  readonly id: number;
  readonly name: string;
  closed: boolean;
}

/** What may be denied in a group (API, ChatPermissions). */
export const RIGHTS = [
  "can_send_messages",
  "can_send_photos",
  "can_send_videos",
  "can_send_documents",
] as const;

export type Right = (typeof RIGHTS)[number];

/** Why the bot may not write. */
export type Barrier = "blocked" | "never met" | "kicked" | "left";

/** A chat as the fake's servers keep it. */
export class Room {
  readonly chat: Chat;
  /** Whether the bot is an administrator: reads everything, may delete others' messages. */
  readonly admin: boolean;
  readonly posts = new Map<number, Post>();
  readonly topics = new Map<number, Topic>();
  /** Ids of those who manage it. */
  readonly managers = new Set<number>();
  readonly members = new Map<number, User>();
  /** The emoji that one may react with; all of them unless given. */
  reactions: readonly string[] | undefined;
  /** What those who do not manage it may not do, as its administrators have set it. */
  readonly denied = new Set<Right>();
  /** What is denied to the bot alone; it is restricted then. */
  readonly restricted = new Set<Right>();
  barrier: Barrier | undefined;
  migratedTo: Chat | undefined;
  #next = 1;

  constructor(chat: Chat, admin = false, barrier?: Barrier) {
    this.chat = chat;
    this.admin = admin;
    this.barrier = barrier;
  }

  /** The next message's id. They are counted in each chat, so that one id means many messages. */
  nextId(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /** @throws Refusal when the bot may not act in this chat */
  checkReachable(): void {
    if (this.migratedTo) {
      throw new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: this.migratedTo.id,
      });
    }
    if (this.barrier === "blocked") throw forbidden("bot was blocked by the user");
    if (this.barrier === "never met") throw forbidden("bot can't initiate conversation with a user");
    if (this.barrier === "kicked") throw forbidden(`bot was kicked from the ${this.chat.type} chat`);
    if (this.barrier === "left") throw forbidden(`bot is not a member of the ${this.chat.type} chat`);
  }

  /** @throws Refusal when there is no such topic, or it is closed to a bot that is no administrator */
  checkTopic(id: number | undefined): void {
    if (id === undefined) return;
    const topic = this.topics.get(id);
    if (!topic) throw badRequest("message thread not found");
    if (topic.closed && !this.admin) throw badRequest("TOPIC_CLOSED");
  }

  /** @throws Refusal when the bot may not send what takes a right there */
  checkRight(right: Right): void {
    const isDenied = this.restricted.has(right) || (this.denied.has(right) && this.restricted.size === 0);
    if (this.admin || !isDenied) return;
    const what = right.replace("can_send_", "").replace("messages", "text messages");
    throw badRequest(`not enough rights to send ${what} to the chat`);
  }

  /**
   * A message as it is quoted by a reply: without what it replied to itself.
   * @returns nothing when it is gone
   */
  quoted(id: number): Message | undefined {
    const post = this.posts.get(id);
    if (!post) return undefined;
    const { reply_to_message: _, ...message } = post.message;
    return message;
  }
}
