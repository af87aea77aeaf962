import {
  type APIUser,
  ChannelType,
  GatewayDispatchEvents,
  OverwriteType,
  PermissionFlagsBits,
  type PermissionsString,
} from "discord.js";
import type { Guild } from "./guild.ts";
import type { Post } from "./post.ts";
import { cannotSendToUser, missingAccess, missingPermissions } from "./refusal.ts";
import type { World } from "./world.ts";

/** What a new channel of a guild is like. */
export interface ChannelOptions {
  readonly name?: string;
  /** Whether it is age-restricted. */
  readonly nsfw?: boolean;
  /** What the bot may not do in it. */
  readonly denies?: readonly PermissionsString[];
  /** Bytes of one file in an answer to an interaction there, where they are not the usual ones. */
  readonly attachmentLimit?: number;
}

/** Where a channel is, or who shares it. */
interface Home {
  readonly guild?: Guild;
  /** For what is no guild's. */
  readonly recipients?: readonly APIUser[];
  /** Whether it is the conversation with the bot itself. */
  readonly withBot?: boolean;
}

/** A place for messages: a guild's text channel, somebody's conversation with the bot, or with others. */
export class Channel {
  readonly id: string;
  readonly name: string;
  readonly nsfw: boolean;
  readonly attachmentLimit: number | undefined;
  readonly guild: Guild | undefined;
  readonly recipients: readonly APIUser[];
  readonly type: ChannelType.GuildText | ChannelType.DM | ChannelType.GroupDM;
  readonly posts = new Map<string, Post>();
  /** Whether its person takes no messages of the bot's. */
  closed = false;
  readonly #world: World;
  #denied: bigint;

  constructor(world: World, options: ChannelOptions & Home) {
    const { name = "general", nsfw = false, denies = [], guild, recipients = [], withBot = false } = options;
    this.#world = world;
    this.id = world.id();
    this.name = name;
    this.nsfw = nsfw;
    this.attachmentLimit = options.attachmentLimit;
    this.guild = guild;
    this.recipients = recipients;
    this.type = guild ? ChannelType.GuildText : withBot ? ChannelType.DM : ChannelType.GroupDM;
    this.#denied = bits(denies);
  }

  /** Takes permissions from the bot. */
  denies(...permissions: readonly PermissionsString[]): void {
    this.#denied |= bits(permissions);
    this.#tell(GatewayDispatchEvents.ChannelUpdate);
  }

  allows(...permissions: readonly PermissionsString[]): void {
    this.#denied &= ~bits(permissions);
    this.#tell(GatewayDispatchEvents.ChannelUpdate);
  }

  /** Deletes it with everything in it. */
  disappears(): void {
    this.#world.channels.delete(this.id);
    this.guild?.channels.delete(this.id);
    this.#world.touch(...(this.guild?.members.keys() ?? []));
    this.#tell(GatewayDispatchEvents.ChannelDelete);
  }

  /** Whether the bot has it in its own list. */
  get knowsBot(): boolean {
    return this.guild ? this.guild.hasBot : this.type === ChannelType.DM;
  }

  get botPermissions(): bigint {
    const { bot } = this.#world;
    return this.guild ? this.guild.permissionsOf(bot.id) & ~this.#denied : PRIVATE;
  }

  /**
   * Whether the bot may act in it by itself, without an interaction.
   * @throws Refusal 50001 where it cannot look, 50013 where it may not act, 50007 for a closed conversation
   */
  check(...permissions: readonly PermissionsString[]): void {
    const has = (permission: bigint) => (this.botPermissions & permission) === permission;
    if (!this.knowsBot || !has(PermissionFlagsBits.ViewChannel)) throw missingAccess();
    if (!has(bits(permissions))) throw missingPermissions();
    if (this.closed && permissions.includes("SendMessages")) throw cannotSendToUser();
  }

  /** resources/channel. */
  toJSON(): object {
    const shared = { id: this.id, type: this.type, flags: 0, last_message_id: null };
    if (!this.guild) return { ...shared, recipients: this.recipients };
    const denied = {
      id: this.#world.bot.id,
      type: OverwriteType.Member,
      allow: "0",
      deny: String(this.#denied),
    };
    return {
      ...shared,
      guild_id: this.guild.id,
      name: this.name,
      nsfw: this.nsfw,
      position: 0,
      parent_id: null,
      topic: null,
      rate_limit_per_user: 0,
      permission_overwrites: this.#denied === 0n ? [] : [denied],
    };
  }

  #tell(event: GatewayDispatchEvents): void {
    if (this.guild) this.#world.tell(event, this.toJSON(), this.guild);
  }
}

/** What everybody may do in private. */
const PRIVATE =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory;

const bits = (permissions: readonly PermissionsString[]) =>
  permissions.reduce((sum, permission) => sum | PermissionFlagsBits[permission], 0n);
