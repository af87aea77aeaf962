import {
  type APIApplicationCommandOptionChoice,
  type APIMessageInteractionMetadata,
  type APIModalInteractionResponseCallbackData,
  type APIUser,
  ChannelType,
  InteractionContextType,
  type InteractionResponseType,
  InteractionType,
} from "discord.js";
import { randomBytes } from "node:crypto";
import type { Channel } from "./channel.ts";
import { type Post, wireMessage } from "./post.ts";
import {
  alreadyAcknowledged,
  type Refusal,
  tokenExpired,
  unknownChannel,
  unknownInteraction,
  unknownWebhook,
} from "./refusal.ts";
import type { World } from "./world.ts";

/** What a person did that the bot is to answer. */
export interface UserAction {
  readonly type: InteractionType;
  readonly person: APIUser;
  readonly channel: Channel;
  /** "make video", a custom id. */
  readonly name: string;
  /** What the type needs: section "Interaction Data". */
  readonly data: object;
  /** The message with the component that was used, or that opened the modal. */
  readonly on?: Post | undefined;
  /** What was answered with the modal that is sent. */
  readonly opener?: Interaction;
  /** Whether the person has installed the app for themselves. */
  readonly installed: boolean;
}

/** One interaction with the bot, and how it was answered. */
export class Interaction {
  readonly id: string;
  readonly token = randomBytes(48).toString("base64url");
  readonly userAction: UserAction;
  /** The fake's milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds until the first answer; nothing while there is none. */
  acknowledgedAfter: number | undefined;
  answer: InteractionResponseType | undefined;
  /** What a MODAL answer opened. */
  modal: APIModalInteractionResponseCallbackData | undefined;
  /** What an autocomplete answer offered. */
  choices: readonly APIApplicationCommandOptionChoice[] | undefined;
  /** The message that answers it, or that it changes. */
  original: Post | undefined;
  /** Whether the original still waits to be filled in. */
  pending = false;
  followUps = 0;
  /** Set while the answer's files and form are read. */
  isBeingAnswered = false;
  /** Why the answer of an endpoint over HTTP was not taken. */
  refusal: Refusal | undefined;
  readonly #world: World;

  constructor(world: World, userAction: UserAction) {
    this.#world = world;
    this.userAction = userAction;
    this.id = world.id();
    this.createdAt = world.clock.now();
  }

  get age(): number {
    return this.#world.clock.now() - this.createdAt;
  }

  /** Whether it was not answered, and no longer can be. */
  get failed(): boolean {
    return this.answer === undefined && this.age >= this.#world.limits.firstAnswerMs;
  }

  /** Whether it was answered, with everything that the answer brings, or failed. */
  get isSettled(): boolean {
    return this.failed || (this.answer !== undefined && !this.isBeingAnswered);
  }

  /** Whether the bot is there only because a person installed it. */
  get isUserInstalled(): boolean {
    return !this.userAction.channel.knowsBot;
  }

  /**
   * Takes the first answer.
   * @throws Refusal 40060 when there was one, 10062 after three seconds
   */
  acknowledge(answer: InteractionResponseType): void {
    if (this.answer !== undefined) throw alreadyAcknowledged();
    if (this.failed) throw unknownInteraction();
    this.answer = answer;
    this.isBeingAnswered = true;
    this.acknowledgedAfter = this.age;
  }

  /** A refused answer is none: another may come in time. */
  reopen(): void {
    this.isBeingAnswered = false;
    this.answer = undefined;
    this.acknowledgedAfter = undefined;
  }

  /** Bytes of one file in an answer. */
  get sizeLimit(): number {
    return this.userAction.channel.attachmentLimit ?? this.#world.limits.fileBytes;
  }

  /**
   * Whether more may be said with its token.
   * @throws Refusal 10015 before the first answer, 50027 after fifteen minutes, 10003 where the channel was deleted
   */
  checkToken(): void {
    if (this.age >= this.#world.limits.tokenMs) throw tokenExpired();
    if (this.answer === undefined) throw unknownWebhook();
    if (!this.#world.channels.has(this.userAction.channel.id)) throw unknownChannel();
  }

  /** resources/message, "Message Interaction Metadata": what a message tells of the interaction that it answers. */
  metadata(): APIMessageInteractionMetadata {
    const { type, person, on, opener } = this.userAction;
    const isPress = type === InteractionType.MessageComponent;
    return {
      id: this.id,
      type,
      user: person,
      authorizing_integration_owners: {},
      ...(isPress && on && { interacted_message_id: on.id }),
      ...(opener && { triggering_interaction_metadata: opener.metadata() }),
    } as APIMessageInteractionMetadata;
  }

  /** interactions/receiving-and-responding, "Interaction Structure". */
  payload(): object {
    const { person, channel, type, data, on, installed } = this.userAction;
    const { guild } = channel;
    const { hasNews, isBare, locale } = this.#world.liberties;
    return {
      ...(hasNews && { tomorrows_field: { is_new: true } }),
      id: this.id,
      application_id: this.#world.applicationId,
      token: this.token,
      version: 1,
      type,
      data,
      ...(on && { message: wireMessage(this.#world, on) }),
      channel_id: channel.id,
      ...(!isBare && { channel, context: contextOf(channel) }),
      ...(guild && {
        guild_id: guild.id,
        ...(!isBare && {
          guild_locale: guild.locale,
          guild: { id: guild.id, locale: guild.locale, features: [] },
        }),
        member: { ...guild.member(person), permissions: String(guild.permissionsOf(person.id)) },
      }),
      ...(!guild && { user: person }),
      locale: locale === "known" ? this.#world.localeOf(person) : "tlh",
      app_permissions: String(channel.appPermissions),
      entitlements: [],
      authorizing_integration_owners: {
        ...(channel.knowsBot && { 0: guild?.id ?? "0" }),
        ...(installed && { 1: person.id }),
      },
      attachment_size_limit: this.sizeLimit,
    };
  }
}

/** Which of the three kinds of places a channel is to a command. */
export function contextOf({ type, guild }: Channel): InteractionContextType {
  if (guild) return InteractionContextType.Guild;
  return type === ChannelType.DM ? InteractionContextType.BotDM : InteractionContextType.PrivateChannel;
}
