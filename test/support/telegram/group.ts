import type { Right, Room, Topic } from "./room.ts";
import type { Chat, Content, Message, User } from "./wire.ts";
import type { World } from "./world.ts";

/** What a group is like at first. */
export interface GroupOptions {
  readonly title: string;
  /** Whether it has topics; it is a supergroup then. */
  readonly forum?: boolean;
  /** Whether the bot is an administrator: it reads every message, and may delete others'. */
  readonly admin?: boolean;
  /** The emoji that one may react with; all of them unless given. */
  readonly reactions?: readonly string[];
}

/** A group with the bot in it, and what its owner does. */
export class Group {
  /** Its chat; after an upgrade the old one, then the new one. */
  readonly rooms: Room[];
  readonly #world: World;
  readonly #owner: User;

  constructor(
    world: World,
    id: number,
    owner: User,
    { title, forum = false, admin = false, reactions }: GroupOptions,
  ) {
    this.#world = world;
    this.#owner = owner;
    const chat: Chat = forum
      ? { id: supergroupId(id), type: "supergroup", title, is_forum: true }
      : { id: -id, type: "group", title };
    this.rooms = [world.addRoom(chat, admin)];
    this.#room.members.set(owner.id, owner);
    this.#room.reactions = reactions;
    world.tellMembership(this.#room, owner, "left", admin ? "administrator" : "member");
  }

  /** The chat as it is now. */
  get chat(): Chat {
    return this.#room.chat;
  }

  opensTopic(name: string): Topic {
    const message = this.#announces({ forum_topic_created: { name, icon_color: 7_322_096 } });
    const topic = { id: message.message_id, name, closed: false };
    this.#room.topics.set(topic.id, topic);
    return topic;
  }

  closes(topic: Topic): void {
    topic.closed = true;
    this.#announces({ forum_topic_closed: {} }, topic);
  }

  reopens(topic: Topic): void {
    topic.closed = false;
    this.#announces({ forum_topic_reopened: {} }, topic);
  }

  /** Deletes a topic with everything in it; bots are not told (API, deleteForumTopic). */
  deletes(topic: Topic): void {
    this.#room.topics.delete(topic.id);
    for (const [id, { message }] of this.#room.posts)
      if (message.message_thread_id === topic.id) this.#world.remove(this.#room, id);
  }

  /** Lets somebody manage the group. */
  appoints({ user }: { readonly user: User }): void {
    this.#room.members.set(user.id, user);
    this.#room.managers.add(user.id);
  }

  dismisses({ user }: { readonly user: User }): void {
    this.#room.managers.delete(user.id);
  }

  /** Takes a right from all who do not manage it. */
  denies(right: Right): void {
    this.#room.denied.add(right);
  }

  allows(right: Right): void {
    this.#room.denied.delete(right);
    this.#room.restricted.delete(right);
  }

  /** Takes a right from the bot alone. */
  restrictsBot(right: Right): void {
    this.#room.restricted.add(right);
  }

  kicksBot(): void {
    this.#room.barrier = "kicked";
    this.#world.tellMembership(this.#room, this.#owner, "member", "kicked");
  }

  addsBot(): void {
    this.#room.barrier = undefined;
    this.#world.tellMembership(this.#room, this.#owner, "kicked", "member");
  }

  /** Makes it a supergroup: another chat with another id, which the old one names. */
  upgrades(): void {
    const old = this.#room;
    const { id, title = "" } = old.chat;
    const chat: Chat = { id: supergroupId(-id), type: "supergroup", title };
    this.#announces({ migrate_to_chat_id: chat.id });
    old.migratedTo = chat;
    this.rooms.push(this.#world.addRoom(chat, old.admin));
    this.#room.reactions = old.reactions;
    for (const user of old.members.values()) this.#room.members.set(user.id, user);
    for (const id of old.managers) this.#room.managers.add(id);
    this.#announces({ migrate_from_chat_id: id });
  }

  get #room(): Room {
    const room = this.rooms.at(-1);
    if (!room) throw new Error("A group has a chat.");
    return room;
  }

  /** Posts a service message, which every bot in the group reads. */
  #announces(service: Content & Partial<Message>, topic?: Topic): Message {
    const { message } = this.#world.post(this.#room, this.#owner, service, { topic: topic?.id });
    this.#world.hear(this.#room, message);
    return message;
  }
}

/** As Telegram makes the id of a supergroup. */
const supergroupId = (id: number) => -1_000_000_000_000 - id;
