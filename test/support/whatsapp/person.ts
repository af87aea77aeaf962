import { until } from "../telegram/waiting.ts";
import { mediaObject, pictureType, type SentKind } from "./sent-media.ts";
import { type Content, newUserId, type Post, type Room, type World } from "./world.ts";

/** A message as a person sees it. */
export type SeenMessage = Readonly<Post> & { readonly buttons: readonly string[] };

/** What a message must be like: a part of its text, an expression for it, or more. */
export type Matcher = string | RegExp | ((message: SeenMessage) => boolean);

/** How to wait. */
interface Waiting {
  /** Real milliseconds; four minutes unless given. */
  readonly within?: number;
}

/** What a message may be an answer to, and say beside a file. */
interface Note {
  readonly caption?: string;
  readonly replyTo?: SeenMessage;
  readonly mimeType?: string;
  readonly fileName?: string;
}

/** Somebody with a phone, in their chat with the business. */
export class Person {
  readonly name: string;
  readonly #world: World;
  readonly #room: Room;
  /** The world's count of changes when they did something last. */
  #acted = 0;
  /** How often something of theirs was told. */
  #told = 0;

  constructor(world: World, room: Room) {
    this.#world = world;
    this.#room = room;
    this.name = room.name;
  }

  /** Their number, digits alone. */
  get waId(): string {
    return this.#room.waId;
  }

  /** What the business learns of them first: their number, or what stands for it. */
  get knownAs(): string {
    return this.#world.liberties.numbers === "shown" ? this.waId : this.#room.userId;
  }

  /** Has a username from now on, and hides their number. */
  hidesNumber(): void {
    this.#room.isHidden = true;
  }

  /** Has none any more. */
  showsNumber(): void {
    this.#room.isHidden = false;
  }

  /** Whether they see that an answer is on its way. */
  get seesTyping(): boolean {
    return this.#world.clock.now() < this.#room.typingUntil;
  }

  /** Everything in the chat, in order. */
  chat(): SeenMessage[] {
    return this.#room.posts.map((post) => ({ ...post, buttons: post.choices.map(({ title }) => title) }));
  }

  says(text: string, { replyTo }: Pick<Note, "replyTo"> = {}): SeenMessage {
    return this.#sends({ type: "text", text, choices: [], replyTo: replyTo?.id }, { text: { body: text } });
  }

  sendsPhoto(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("image", bytes, { mimeType: pictureType(bytes), ...note });
  }

  sendsDocument(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("document", bytes, {
      mimeType: pictureType(bytes),
      fileName: "photo.jpg",
      ...note,
    });
  }

  sendsVideo(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("video", bytes, { mimeType: "video/mp4", ...note });
  }

  sendsSticker(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("sticker", bytes, { mimeType: "image/webp", ...note });
  }

  sendsAudio(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("audio", bytes, { mimeType: "audio/mpeg", ...note });
  }

  sendsVoice(bytes: Buffer, note: Note = {}): SeenMessage {
    return this.#sendsFile("audio", bytes, { mimeType: "audio/ogg; codecs=opus", ...note }, true);
  }

  /** Sends photos together; the first carries the caption. WhatsApp makes a message of each, and says nothing of the others. */
  sendsAlbum(photos: readonly Buffer[], note: Note = {}): SeenMessage[] {
    return photos.map((bytes, nth) => this.sendsPhoto(bytes, nth === 0 ? note : {}));
  }

  sendsLocation(): SeenMessage {
    const location = { latitude: 37.44, longitude: -122.16, name: "Philz", address: "101 Forest Ave" };
    return this.#sends({ type: "location", text: "", choices: [] }, { location });
  }

  /** Something that the Cloud API does not tell, such as a poll. */
  sendsUnsupported(): SeenMessage {
    const error = { code: 131051, title: "Message type unknown", message: "Message type unknown" };
    const errors = [{ ...error, error_data: { details: "Message type is currently not supported." } }];
    return this.#sends({ type: "unsupported", text: "", choices: [] }, { errors });
  }

  reacts(to: SeenMessage, emoji: string): void {
    this.#acted = this.#world.tick;
    this.#tell(this.#world.id(), "reaction", { reaction: { message_id: to.id, emoji } });
  }

  /** Deletes a message of theirs for everybody: some numbers are told. @returns the id of what tells it */
  takesBack(message: SeenMessage): string {
    this.#acted = this.#world.tick;
    const id = this.#world.id();
    this.#tell(id, "revoke", { revoke: { original_message_id: message.id } });
    return id;
  }

  /**
   * Presses a button or picks a row on the newest message that has it; waits until there is one.
   * @param on the message to press it on; also an old one, which keeps its buttons for ever
   */
  async presses(
    button: string | RegExp,
    { on, within }: Waiting & { readonly on?: SeenMessage } = {},
  ): Promise<void> {
    const look = () =>
      (on ? [on] : this.chat().toReversed())
        .flatMap((message) => message.choices.map((choice) => ({ message, choice })))
        .find(({ choice }) => isLike(choice.title, button));
    const { message, choice } = await this.#until(look, `the button ${String(button)}`, within);
    this.#acted = this.#world.tick;
    const { id, title, description } = choice;
    const content = { text: title, choices: [], replyTo: message.id };
    if (message.type === "template") {
      this.#sends({ ...content, type: "button" }, { button: { payload: id, text: title } });
      return;
    }
    const interactive =
      message.list === undefined
        ? { type: "button_reply", button_reply: { id, title } }
        : {
            type: "list_reply",
            list_reply: { id, title, ...(description !== undefined && { description }) },
          };
    this.#sends({ ...content, type: "interactive" }, { interactive });
  }

  /**
   * Answers with a choice that no message offered them, as a changed app may.
   * @param on the message that it names
   */
  forges(id: string, on: SeenMessage, as: "button_reply" | "list_reply" = "button_reply"): void {
    const reply = { id, title: "OK" };
    const content = { type: "interactive", text: "OK", choices: [], replyTo: on.id };
    this.#sends(content, { interactive: { type: as, [as]: reply } });
  }

  /**
   * Waits for a message of the business's, and returns the newest that matches.
   * @param fresh whether only what was posted after this person's last act counts
   */
  sees(
    matcher: Matcher,
    { within, fresh = false }: Waiting & { readonly fresh?: boolean } = {},
  ): Promise<SeenMessage> {
    const matches =
      typeof matcher === "function" ? matcher : ({ text }: SeenMessage) => isLike(text, matcher);
    const look = () =>
      this.chat()
        .filter(({ from, tick }) => from === "bot" && (!fresh || tick > this.#acted))
        .findLast(matches);
    return this.#until(look, `a message like ${String(matcher)}`, within);
  }

  /** Waits until something about this person is so. */
  async until(isSo: () => boolean, { within }: Waiting = {}): Promise<void> {
    await this.#until(() => isSo() || undefined, isSo.toString(), within);
  }

  /** Changes their number: the business is told so. What is written from the old one is another person's. */
  changesNumber(to: string): void {
    const { webhook, clock } = this.#world;
    const { waId, name } = this.#room;
    const body = `User ${name} changed from ${waId} to ${to}`;
    const system = { body, wa_id: to, type: "user_changed_number" };
    const message = {
      from: waId,
      id: this.#world.id(),
      timestamp: String(clock.seconds()),
      type: "system",
      system,
    };
    webhook.tell({ messages: [message] });
    this.givesNumberAway();
  }

  /** Their number becomes another person's, who is this one from now on; the business is told nothing of that. */
  givesNumberAway(): void {
    this.#room.userId = newUserId();
  }

  /** Has WhatsApp no more, or has blocked the business: nothing is delivered. */
  leaves(): void {
    this.#room.isGone = true;
  }

  returns(): void {
    this.#room.isGone = false;
  }

  #sendsFile(kind: SentKind, bytes: Buffer, note: Note, isVoice = false): SeenMessage {
    const { caption = "", mimeType = "application/octet-stream", fileName, replyTo } = note;
    const file = this.#world.media.add({ bytes, mimeType, fileName });
    const content = { type: kind, text: caption, choices: [], file, replyTo: replyTo?.id };
    return this.#sends(content, { [kind]: mediaObject(kind, file, { caption, isVoice }) });
  }

  #sends(content: Content, wire: object): SeenMessage {
    this.#acted = this.#world.tick;
    // Throughput counts what comes in, too.
    this.#world.throughput.take(1, this.#world.clock.now());
    const post = this.#world.post(this.#room, "person", content);
    this.#tell(post.id, content.type, wire, content.replyTo);
    return { ...post, buttons: [] };
  }

  #tell(id: string, type: string, wire: object, replyTo?: string): void {
    const { webhook, liberties, business, clock, tellsUserIds } = this.#world;
    const { waId, userId, name } = this.#room;
    const isShown = this.#isShown();
    webhook.tell({
      contacts: [
        {
          profile: {
            name: liberties.name === "odd" ? "\u202e🎬 /jobs\n*x* " : name,
            ...(!isShown && { username: `@${name.toLowerCase()}` }),
          },
          ...(isShown && { wa_id: waId }),
          ...(tellsUserIds && { user_id: userId }),
        },
      ],
      messages: [
        {
          ...(replyTo !== undefined && { context: { from: business.number, id: replyTo } }),
          ...(isShown && { from: waId }),
          id,
          timestamp: String(clock.seconds()),
          ...wire,
          type,
          ...(tellsUserIds && { from_user_id: userId }),
        },
      ],
    });
  }

  #isShown(): boolean {
    const { numbers } = this.#world.liberties;
    this.#told += 1;
    if (this.#room.isHidden) return false;
    return numbers === "shown" || (numbers === "now and then" && this.#told % 2 === 0);
  }

  /** Waits for something of this person's. */
  #until<T>(look: () => T | undefined, wanted: string, within: number | undefined): Promise<T> {
    const missing = () => {
      const lines = this.chat().map(
        ({ from, type, text, buttons }) => `${from} (${type}): ${text} ${JSON.stringify(buttons)}`,
      );
      return [`${this.name} did not see ${wanted}, but:`, ...lines].join("\n");
    };
    return until(this.#world.changes, this.waId, look, missing, within);
  }
}

const isLike = (text: string, matcher: string | RegExp) =>
  typeof matcher === "string" ? text.includes(matcher) : new RegExp(matcher).test(text);
