import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { Clock } from "../telegram/clock.ts";
import { Bucket, Window } from "../telegram/flood.ts";
import type { Description } from "./description.ts";
import { USUAL, type WhatsappLiberties } from "./liberties.ts";
import { WHATSAPP_LIMITS, type WhatsappLimits } from "./limits.ts";
import { Media, type StoredFile } from "./media.ts";
import { Refusal, type ToldError } from "./refusal.ts";
import type { Template } from "./templates.ts";
import { Webhook } from "./webhook.ts";

/** How a fake differs from WhatsApp as it is. */
export interface WorldOptions {
  /** Real time for one unit of the fake's: 0.1 runs its limits ten times as fast. 1 unless given. */
  readonly timeScale?: number;
  readonly limits?: Partial<WhatsappLimits>;
  /** Whether to forget the bytes of uploads and the log of calls: for many people. */
  readonly lean?: boolean;
  /** Whether films and pictures are looked into, as WhatsApp does; false for bytes that are only to arrive as they are. */
  readonly looksInside?: boolean;
  /** What the description leaves open. Default: what is usual. */
  readonly liberties?: WhatsappLiberties;
  /** Templates that the operator entered. */
  readonly templates?: readonly Template[];
}

/** What can be pressed on a message. */
interface Choice {
  readonly id: string;
  readonly title: string;
  readonly description?: string | undefined;
}

/** A message as it stands in a chat. It never changes but for these two: nothing can be edited or deleted. */
export interface Post {
  readonly id: string;
  readonly from: "bot" | "person";
  readonly type: string;
  /** The fake's milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly header?: string | undefined;
  readonly footer?: string | undefined;
  readonly choices: readonly Choice[];
  /** The label of the button that opens a list. */
  readonly list?: string | undefined;
  readonly file?: StoredFile | undefined;
  /** Of a file that the business named by a link. */
  readonly link?: string | undefined;
  readonly fileName?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly opaque?: string | undefined;
  /** The world's count of changes then. */
  readonly tick: number;
  /** The emoji that the other side reacted with. */
  reaction: string | undefined;
  isRead: boolean;
}

/** What is in a message, before it is posted. */
export type Content = Omit<Post, "id" | "from" | "at" | "tick" | "reaction" | "isRead">;

/** The business's number. */
export interface Business {
  readonly phoneNumberId: string;
  readonly number: string;
  readonly account: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** The real ones are a country and up to 128 letters and digits. */
export const newUserId = () => `US.${BigInt(`0x${randomBytes(8).toString("hex")}`)}`;

/** One person's chat with the business. */
export class Room {
  readonly name: string;
  readonly posts: Post[] = [];
  readonly pair: Bucket;
  waId: string;
  /** What stands for them where their number is hidden; another one with another number. */
  userId = newUserId();
  isHidden = false;
  /** Nothing until they have written. */
  lastWordAt: number | undefined;
  /** Whether they blocked the business, or have WhatsApp no more. */
  isGone = false;
  /** When a typing indicator vanishes. */
  typingUntil = 0;

  constructor(waId: string, name: string, { pairMs, pairBurst }: WhatsappLimits) {
    this.waId = waId;
    this.name = name;
    this.pair = new Bucket(pairMs, pairBurst);
  }
}

/** Everything that WhatsApp's servers know: chats, files, templates, and what the business has not heard yet. */
export class World {
  readonly business: Business;
  readonly description: Description | undefined;
  readonly limits: WhatsappLimits;
  readonly liberties: WhatsappLiberties;
  readonly clock: Clock;
  readonly media: Media;
  readonly webhook: Webhook;
  readonly templates: Template[];
  readonly rooms = new Map<string, Room>();
  readonly throughput: Window;
  /** Emits "change" at every change, and the person's number. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  /** Counts the changes. */
  tick = 0;

  constructor(
    business: Business,
    description: Description | undefined,
    {
      timeScale = 1,
      limits,
      lean = false,
      looksInside = true,
      liberties = USUAL,
      templates = [],
    }: WorldOptions,
  ) {
    this.business = business;
    this.description = description;
    this.liberties = liberties;
    this.limits = { ...WHATSAPP_LIMITS, ...limits };
    this.clock = new Clock(timeScale);
    this.media = new Media(this.clock, this.limits, liberties, { looksInside, keepsUploads: !lean });
    this.throughput = new Window(this.limits.throughput, this.limits.throughputMs);
    this.templates = [...templates];
    this.webhook = new Webhook(this.clock, this.limits, liberties, business, description);
  }

  /** Message ids are opaque; the real ones are as long. */
  id(): string {
    return `wamid.${randomBytes(36).toString("base64")}`;
  }

  post(room: Room, from: Post["from"], content: Content, id = this.id()): Post {
    const at = this.clock.now();
    this.tick += 1;
    const post: Post = { ...content, id, from, at, tick: this.tick, reaction: undefined, isRead: false };
    room.posts.push(post);
    if (from === "bot") room.typingUntil = 0;
    else room.lastWordAt = at;
    this.touch(room);
    return post;
  }

  /** Wakes whoever waits for a change of a chat. */
  touch(room: Room): void {
    this.tick += 1;
    this.changes.emit(room.waId);
    this.changes.emit("change");
  }

  /** Whether anything but a template may be sent. */
  isOpen({ lastWordAt }: Room): boolean {
    return lastWordAt !== undefined && this.clock.now() < lastWordAt + this.limits.windowMs;
  }

  /**
   * Counts a message.
   * @throws Refusal when it is too fast; nothing is counted then
   */
  admit(room: Room | undefined): void {
    const now = this.clock.now();
    if (this.throughput.wait(1, now) > 0)
      throw new Refusal(130429, "Cloud API message throughput has been reached.");
    if (room && room.pair.wait(1, now) > 0)
      throw new Refusal(
        131056,
        "Too many messages sent from the sender phone number to the same recipient phone number in a short period of time.",
      );
    this.throughput.take(1, now);
    room?.pair.take(1, now);
  }

  /** Whether ids are told beside numbers. */
  get tellsUserIds(): boolean {
    return this.liberties.hasNews || this.liberties.numbers !== "shown";
  }

  /** Tells what became of a message. @param of whose it is: a number for what was sent to one, an id for what was sent to that */
  tellStatus(
    of: { readonly recipient_id?: string; readonly recipient_user_id?: string },
    id: string,
    status: string,
    more: { opaque?: string | undefined; errors?: readonly ToldError[] } = {},
  ): void {
    const { opaque, errors } = more;
    this.webhook.tell({
      statuses: [
        {
          id,
          status,
          timestamp: String(this.clock.seconds()),
          ...of,
          ...(status !== "failed" && {
            pricing: {
              billable: false,
              pricing_model: "PMP",
              category: "service",
              type: "free_customer_service",
            },
          }),
          ...(opaque !== undefined && { biz_opaque_callback_data: opaque }),
          ...(errors && { errors }),
        },
      ],
    });
  }
}
