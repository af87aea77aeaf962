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
import type { Role } from "./role.ts";
import { cannotSendToUser, missingAccess, missingPermissions } from "./refusal.ts";
import type { World } from "./world.ts";

/** What one role or one member may do otherwise there than in the whole server: by whose id. */
export type Overwrites = ReadonlyMap<
  string,
  { readonly type: OverwriteType; readonly allow: bigint; readonly deny: bigint }
>;

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
  /** For a thread: the channel that it is in. */
  readonly parent?: Channel;
  /** For what is no guild's. */
  readonly recipients?: readonly APIUser[];
  /** Whether it is the conversation with the bot itself. */
  readonly withBot?: boolean;
}

/** A place for messages: a guild's text channel, a thread of one, somebody's conversation with the bot, or with others. */
export class Channel {
  readonly id: string;
  readonly name: string;
  readonly nsfw: boolean;
  readonly attachmentLimit: number | undefined;
  readonly guild: Guild | undefined;
  readonly recipients: readonly APIUser[];
  /** Of a thread. */
  readonly parent: Channel | undefined;
  readonly type: ChannelType.GuildText | ChannelType.PublicThread | ChannelType.DM | ChannelType.GroupDM;
  readonly posts = new Map<string, Post>();
  /** Whether its person takes no messages of the bot's. */
  closed = false;
  readonly #world: World;
  readonly #overwrites = new Map<string, { type: OverwriteType; allow: bigint; deny: bigint }>();

  constructor(world: World, options: ChannelOptions & Home) {
    const { name = "general", nsfw = false, denies = [], guild, recipients = [] } = options;
    this.#world = world;
    this.id = world.id();
    this.name = name;
    this.nsfw = nsfw;
    this.attachmentLimit = options.attachmentLimit;
    this.guild = guild;
    this.recipients = recipients;
    this.parent = options.parent;
    this.type = typeOf(options);
    if (denies.length > 0) this.#overwrite(this.#me, bits(denies), 0n);
  }

  /** Takes permissions from the bot. */
  denies(...permissions: readonly PermissionsString[]): void {
    this.#overwrite(this.#me, bits(permissions), 0n);
    this.#tell(GatewayDispatchEvents.ChannelUpdate);
  }

  /** Takes that back. */
  allows(...permissions: readonly PermissionsString[]): void {
    this.#overwrite(this.#me, 0n, bits(permissions));
    this.#tell(GatewayDispatchEvents.ChannelUpdate);
  }

  /** Lets a role do there what it may not do elsewhere, and the other way round. */
  overwrites(
    { id }: Role,
    { allow = [], deny = [] }: Readonly<Partial<Record<"allow" | "deny", readonly PermissionsString[]>>>,
  ): void {
    this.#overwrites.set(id, { type: OverwriteType.Role, allow: bits(allow), deny: bits(deny) });
    this.#tell(GatewayDispatchEvents.ChannelUpdate);
  }

  get #me() {
    return this.#world.bot.id;
  }

  #overwrite(id: string, denied: bigint, allowed: bigint): void {
    const before = this.#overwrites.get(id)?.deny ?? 0n;
    const deny = (before | denied) & ~allowed;
    if (deny === 0n) this.#overwrites.delete(id);
    else this.#overwrites.set(id, { type: OverwriteType.Member, allow: 0n, deny });
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

  /** What the bot may do there, as an interaction says it: `app_permissions`. */
  get appPermissions(): bigint {
    if (this.guild) return this.botPermissions;
    return this.type === ChannelType.DM ? AMONG_PEOPLE | PermissionFlagsBits.UseExternalEmojis : AMONG_PEOPLE;
  }

  get botPermissions(): bigint {
    const place = this.parent ?? this;
    return this.guild ? this.guild.permissionsOf(this.#me, place.#overwrites) : PRIVATE;
  }

  /** topics/threads, "Permissions": what a message takes there. */
  get posting(): PermissionsString {
    return this.parent ? "SendMessagesInThreads" : "SendMessages";
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
    if (this.parent)
      return {
        ...shared,
        guild_id: this.guild.id,
        name: this.name,
        parent_id: this.parent.id,
        owner_id: this.#me,
        message_count: 0,
        member_count: 1,
        total_message_sent: 0,
        thread_metadata: {
          archived: false,
          archive_timestamp: new Date(0).toISOString(),
          auto_archive_duration: 1_440,
          locked: false,
        },
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
      permission_overwrites: [...this.#overwrites].map(([id, { type, allow, deny }]) => ({
        id,
        type,
        allow: String(allow),
        deny: String(deny),
      })),
    };
  }

  #tell(event: GatewayDispatchEvents): void {
    if (this.guild) this.#world.tell(event, this.toJSON(), this.guild);
  }
}

function typeOf({ guild, parent, withBot }: Home): Channel["type"] {
  if (parent) return ChannelType.PublicThread;
  if (guild) return ChannelType.GuildText;
  return withBot ? ChannelType.DM : ChannelType.GroupDM;
}

/** What everybody may do in private. */
const PRIVATE =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory;

/** interactions/receiving-and-responding, "Interaction Structure": what is told of conversations, whatever may be done there. */
const AMONG_PEOPLE =
  PermissionFlagsBits.AttachFiles | PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.MentionEveryone;

const bits = (permissions: readonly PermissionsString[]) =>
  permissions.reduce((sum, permission) => sum | PermissionFlagsBits[permission], 0n);
