import { inlineContent } from "./methods/answering.ts";
import { Reader, type Acts, type Place, type Waiting } from "./reader.ts";
import type { Post, Room, Topic } from "./room.ts";
import { signInitData } from "./init-data.ts";
import { entitiesIn } from "./entities.ts";
import { seen, type SeenMessage } from "./seen.ts";
import {
  sentAnimation,
  sentFile,
  sentPhoto,
  sentSticker,
  sentVideoNote,
  type FileNote,
  type StickerKind,
} from "./sent-media.ts";
import { mediaOf } from "./shown.ts";
import type { Chat, Content, InaccessibleMessage, InlineKeyboardButton, Message, User } from "./wire.ts";
import type { InlineAnswer, InlineResult, World } from "./world.ts";

/** What a message may be an answer to. */
interface Reply {
  readonly replyTo?: SeenMessage;
}

type SentNote = FileNote & Reply;

/** A button by its whole label, by a part of it, or by anything else. */
export type ButtonMatcher = string | RegExp | ((button: InlineKeyboardButton) => boolean);

/** Somebody with a phone: in the private chat with the bot, or, with `in`, in a group. */
export class Person extends Reader {
  readonly #privately: Place;

  /** @param privately the chat with the bot alone */
  constructor(
    world: World,
    user: User,
    privately: Place,
    place = privately,
    acts: Acts = { at: 0, searched: "" },
  ) {
    super(world, user, place, acts);
    this.#privately = privately;
  }

  /** The same person in a group, where they become a member, or in one of its topics. */
  in(group: Place, topic?: Topic): Person {
    for (const room of group.rooms) room.members.set(this.user.id, this.user);
    const place = topic ? { rooms: group.rooms, topic } : group;
    return new Person(this.world, this.user, this.#privately, place, this.acts);
  }

  /** Writes a message. Commands, mentions and links are marked as Telegram does. */
  says(text: string, { replyTo }: Reply = {}): SeenMessage {
    return this.#posts(wording(text), replyTo);
  }

  /** Writes as the group itself, as those who manage it may, or as a channel. */
  saysAs(chat: Chat, text: string): SeenMessage {
    return this.#posts({ ...wording(text), sender_chat: chat }, undefined, undefined, NOBODY);
  }

  replies(to: SeenMessage, text: string): SeenMessage {
    return this.says(text, { replyTo: to });
  }

  async sendsPhoto(bytes: Buffer, { replyTo, ...note }: SentNote = {}): Promise<SeenMessage> {
    return this.#posts(await sentPhoto(this.world.files, bytes, note), replyTo);
  }

  sendsDocument(bytes: Buffer, note: SentNote = {}): SeenMessage {
    return this.#sends("document", bytes, note);
  }

  sendsVideo(bytes: Buffer, note: SentNote = {}): SeenMessage {
    return this.#sends("video", bytes, note);
  }

  sendsAnimation(bytes: Buffer, note: FileNote = {}): SeenMessage {
    return this.#posts(sentAnimation(this.world.files, bytes, note));
  }

  sendsVideoNote(bytes: Buffer): SeenMessage {
    return this.#posts(sentVideoNote(this.world.files, bytes));
  }

  sendsSticker(
    bytes: Buffer,
    kind: StickerKind = "still",
    { replyTo }: Pick<SentNote, "replyTo"> = {},
  ): SeenMessage {
    return this.#posts(sentSticker(this.world.files, bytes, kind), replyTo);
  }

  sendsAudio(bytes: Buffer, note: SentNote = {}): SeenMessage {
    return this.#sends("audio", bytes, note);
  }

  sendsVoice(bytes: Buffer, note: SentNote = {}): SeenMessage {
    return this.#sends("voice", bytes, { mimeType: "audio/ogg", ...note });
  }

  /** Sends what is no file of theirs, such as a place or somebody's story. */
  sendsOther(
    what: Pick<Content, "location" | "contact" | "poll" | "dice" | "story" | "paid_media" | "checklist">,
  ): SeenMessage {
    return this.#posts(what);
  }

  /** Sends photos together; the first carries the caption. Telegram makes a message of each. */
  async sendsAlbum(photos: readonly Buffer[], note: FileNote = {}): Promise<SeenMessage[]> {
    const contents = await Promise.all(
      photos.map((bytes, index) => sentPhoto(this.world.files, bytes, index === 0 ? note : {})),
    );
    const album = `${this.world.tick}${this.user.id}`;
    return contents.map((content) => this.#posts(content, undefined, album));
  }

  /** Changes the text or caption of an own message. */
  edits({ id }: SeenMessage, text: string): void {
    const post = this.#find(id);
    this.world.revise(this.room, post, rewording(post, text));
    this.acts.at = this.world.tick;
    this.world.hear(this.room, post.message, "edited_message");
  }

  /** Deletes a message for everyone; the bot is not told. */
  deletes({ id }: SeenMessage): void {
    this.world.remove(this.room, id);
  }

  /**
   * Presses an inline button on the newest message that has it; waits until there is one. A link to the bot
   * opens the private chat and presses Start there.
   * @param on the message to press it on, as it was seen: its keyboard may have changed since
   */
  async presses(
    button: ButtonMatcher,
    { on, within }: Waiting & { readonly on?: SeenMessage } = {},
  ): Promise<void> {
    const isWanted = wanted(button);
    const look = () =>
      (on ? [on] : this.chat().toReversed())
        .flatMap((message) => message.keyboard.flat().map((pressed) => ({ message, pressed })))
        .find(({ pressed }) => isWanted(pressed));
    const { message, pressed } = await this.until(look, `the button ${String(button)}`, within);
    this.acts.at = this.world.tick;
    if (pressed.url === undefined) this.#calls(message, pressed);
    else this.#follows(pressed.url);
  }

  /**
   * Opens a Mini App, by a button under a message or by the one beside the message field.
   * @returns the address that Telegram shows it at, with what it says of who opened it (https://core.telegram.org/bots/webapps)
   */
  async opensApp(button?: ButtonMatcher): Promise<string> {
    const isWanted = button === undefined ? undefined : wanted(button);
    const under = () =>
      this.chat()
        .toReversed()
        .flatMap(({ keyboard }) => keyboard.flat())
        .find((one) => isWanted?.(one) && one.web_app);
    const app = isWanted
      ? (await this.until(under, `the button ${String(button)}`, undefined)).web_app
      : this.world.profile.menuButton.web_app;
    if (!app) throw new Error("The button beside the message field opens no Mini App.");
    const data = signInitData({ user: this.user }, { token: this.world.token });
    const shown = new URLSearchParams({
      tgWebAppData: data,
      tgWebAppVersion: "9.1",
      tgWebAppPlatform: "android",
    });
    return `${app.url}#${shown.toString()}`;
  }

  /** Types `@bot words` and waits for what is offered. */
  async asksInline(words: string, { within }: Waiting = {}): Promise<InlineAnswer> {
    const query = this.world.searches.ask(this.user.id);
    const { type } = this.room.chat;
    this.acts.searched = words;
    this.world.inbox.push(this.user.id, {
      inline_query: {
        id: query.id,
        from: this.user,
        query: words,
        offset: "",
        chat_type: type === "private" ? "sender" : type,
      },
    });
    return this.until(() => query.answer, `results for "${words}"`, within);
  }

  /** Posts a result of the last search here. */
  chooses(result: InlineResult): SeenMessage {
    const content = inlineContent(this.world, result);
    const post = this.world.post(this.room, this.user, content, {
      topic: this.place.topic?.id,
      inline: true,
    });
    this.acts.at = this.world.tick;
    this.world.inbox.push(this.user.id, {
      chosen_inline_result: {
        result_id: result.id,
        from: this.user,
        query: this.acts.searched,
        ...(post.inlineId !== undefined && { inline_message_id: post.inlineId }),
      },
    });
    this.world.hear(this.room, post.message);
    return seen(this.world.files, post);
  }

  /** Blocks the bot: it can write no more, and is told. */
  blocks(): void {
    this.#private.barrier = "blocked";
    this.world.tellMembership(this.#private, this.user, "member", "kicked");
  }

  unblocks(): void {
    this.#private.barrier = undefined;
    this.world.tellMembership(this.#private, this.user, "kicked", "member");
  }

  get #private(): Room {
    const [room] = this.#privately.rooms;
    if (!room) throw new Error("Everybody has a private chat.");
    return room;
  }

  #sends(kind: "document" | "audio" | "voice" | "video", bytes: Buffer, note: SentNote): SeenMessage {
    return this.#posts(sentFile(this.world.files, kind, bytes, note), note.replyTo);
  }

  #posts(
    content: Content & Partial<Message>,
    replyTo?: SeenMessage,
    album?: string,
    from = this.user,
  ): SeenMessage {
    const { room } = this;
    if (room.barrier === "blocked") throw new Error(`${this.user.first_name} has blocked the bot.`);
    if (room.barrier === "never met") room.barrier = undefined;
    const topic = this.place.topic?.id;
    // In a topic, what answers nothing else answers the message that opened it.
    const answered = replyTo?.id ?? topic;
    const post = this.world.post(room, from, content, {
      topic,
      album,
      replyTo: answered === undefined ? undefined : room.quoted(answered),
    });
    this.acts.at = this.world.tick;
    this.world.hear(room, post.message);
    return seen(this.world.files, post);
  }

  #find(id: number): Post {
    const post = this.room.posts.get(id);
    if (!post) throw new Error(`Message ${id} is gone.`);
    return post;
  }

  #calls({ id, chatId }: SeenMessage, { text, callback_data: data }: InlineKeyboardButton): void {
    if (data === undefined) throw new Error(`The button "${text}" is for the phone alone.`);
    const post = this.world.rooms.get(chatId)?.posts.get(id);
    if (!post) throw new Error(`Message ${id} is gone.`);
    this.world.inbox.push(chatId, {
      callback_query: {
        id: this.world.callbacks.ask(this.user.id).id,
        from: this.user,
        chat_instance: String(chatId),
        data,
        ...(post.inlineId === undefined
          ? { message: this.#pressed(post) }
          : { inline_message_id: post.inlineId }),
      },
    });
  }

  /** How a press tells of its message. */
  #pressed({ message }: Post): Message | InaccessibleMessage {
    const { chat, message_id } = message;
    return this.world.liberties.pressedMessage === "whole" ? message : { chat, message_id, date: 0 };
  }

  #follows(url: string): void {
    const [, bot, payload] = /^https:\/\/t\.me\/(\w+)\?start=([\w-]{1,64})$/.exec(url) ?? [];
    if (bot !== this.world.bot.username) throw new Error(`The link ${url} does not lead to the bot.`);
    new Person(this.world, this.user, this.#privately, this.#privately, this.acts).says(`/start ${payload}`);
  }
}

/** Under whose id Telegram tells of what was written as a group or a channel (API, Message `from`). */
const NOBODY: User = { id: 1_087_968_824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" };

const wanted = (button: ButtonMatcher): ((one: InlineKeyboardButton) => boolean) => {
  if (typeof button === "function") return button;
  return ({ text }) => (typeof button === "string" ? text === button : new RegExp(button).test(text));
};

function wording(text: string): Content {
  const entities = entitiesIn(text);
  return { text, ...(entities.length > 0 && { entities }) };
}

/** A message's content with other words: a message without a text has a caption. */
function rewording({ message }: Post, text: string): Content {
  if (message.text !== undefined) return wording(text);
  const { text: caption, entities } = wording(text);
  return {
    ...mediaOf(message),
    ...(caption !== undefined && { caption }),
    ...(entities && { caption_entities: entities }),
  };
}
