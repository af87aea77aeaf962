import { type APIUser, GatewayDispatchEvents, Locale, PermissionFlagsBits } from "discord.js";
import { Channel, type ChannelOptions } from "./channel.ts";
import { Role } from "./role.ts";
import type { World } from "./world.ts";

/** What a new guild is like. */
export interface GuildOptions {
  readonly name: string;
  readonly locale?: Locale;
  /** Whether the bot is a member: true unless given. Without it, only user-installed apps work there. */
  readonly bot?: boolean;
}

const EVERYONE =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.UseExternalApps;

/** A server. */
export class Guild {
  readonly id: string;
  readonly name: string;
  readonly locale: Locale;
  readonly channels = new Map<string, Channel>();
  readonly members = new Map<string, APIUser>();
  readonly #managers = new Set<string>();
  readonly #moderators = new Set<string>();
  readonly #world: World;
  /** The first is everybody's, the second the managers'. */
  readonly #roles: [Role, Role, ...Role[]];
  /** Whose they are, by role. */
  readonly #holders = new Map<Role, Set<string>>();
  /** Somebody who is never there: an owner may do everything. */
  readonly #ownerId: string;
  #hasBot: boolean;

  constructor(world: World, { name, locale = Locale.EnglishUS, bot = true }: GuildOptions) {
    this.#world = world;
    this.id = world.snowflakes.nextGuild();
    this.#ownerId = world.id();
    this.name = name;
    this.#roles = [
      new Role({ id: this.id, name: "@everyone" }),
      new Role({ id: world.id(), name: "Manager" }),
    ];
    this.#holders.set(this.#roles[1], this.#managers);
    this.locale = locale;
    this.#hasBot = bot;
  }

  get hasBot(): boolean {
    return this.#hasBot;
  }

  /** Opens a text channel. */
  channel(options: ChannelOptions = {}): Channel {
    const channel = new Channel(this.#world, { ...options, guild: this });
    this.channels.set(channel.id, channel);
    this.#world.channels.set(channel.id, channel);
    this.#world.tell(GatewayDispatchEvents.ChannelCreate, channel.toJSON(), this);
    return channel;
  }

  /** Everybody has it, and no member's list of roles names it. */
  get everyone(): Role {
    return this.#roles[0];
  }

  /** Makes a role, and gives it to people. */
  role(name: string, people: readonly { readonly user: APIUser }[]): Role {
    const role = new Role({ id: this.#world.id(), name });
    this.#roles.push(role);
    this.#holders.set(role, new Set(people.map(({ user }) => user.id)));
    return role;
  }

  /** Makes a person a member who may manage the server. */
  appoints({ user }: { readonly user: APIUser }): void {
    this.members.set(user.id, user);
    this.#managers.add(user.id);
  }

  /** Makes a member one who may moderate others. */
  entrusts({ user }: { readonly user: APIUser }): void {
    this.#moderators.add(user.id);
  }

  /** Takes that from them, and the managing. */
  dismisses({ user }: { readonly user: APIUser }): void {
    for (const those of [this.#moderators, this.#managers]) those.delete(user.id);
  }

  /** Removes the bot. */
  removesBot(): void {
    this.#hasBot = false;
    this.#world.tell(GatewayDispatchEvents.GuildDelete, { id: this.id }, this);
  }

  /** The guild cannot be reached for a while, and comes back. */
  fails(): void {
    this.#world.tell(GatewayDispatchEvents.GuildDelete, { id: this.id, unavailable: true }, this);
  }

  recovers(): void {
    this.#world.tell(GatewayDispatchEvents.GuildCreate, this.created(), this);
  }

  /** What a member may do anywhere in it. */
  permissionsOf(userId: string): bigint {
    const managing = this.#managers.has(userId) ? PermissionFlagsBits.ManageGuild : 0n;
    const moderating = this.#moderators.has(userId) ? PermissionFlagsBits.ModerateMembers : 0n;
    return EVERYONE | managing | moderating;
  }

  member(user: APIUser): object {
    const { member } = this.#world.liberties;
    return {
      user,
      ...(member === "null" && { nick: null, avatar: null, banner: null }),
      ...(member === "named" && { nick: "Mx. Films", avatar: "a".repeat(32), banner: null }),
      roles: this.#roles.filter((role) => this.#holders.get(role)?.has(user.id)).map(({ id }) => id),
      joined_at: new Date(0).toISOString(),
      premium_since: null,
      deaf: false,
      mute: false,
      pending: false,
      flags: 0,
      communication_disabled_until: null,
    };
  }

  /** resources/guild: as REST tells of it. */
  toJSON(): object {
    return {
      ...Object.fromEntries(ABSENT.map((field) => [field, null])),
      id: this.id,
      name: this.name,
      owner_id: this.#ownerId,
      preferred_locale: this.locale,
      features: [],
      emojis: [],
      stickers: [],
      roles: this.#roles.map((role, index) =>
        role.toJSON(index === 1 ? EVERYONE | PermissionFlagsBits.ManageGuild : EVERYONE),
      ),
      region: "deprecated",
      afk_timeout: 300,
      widget_enabled: false,
      verification_level: 0,
      default_message_notifications: 0,
      explicit_content_filter: 0,
      mfa_level: 0,
      nsfw: false,
      nsfw_level: 0,
      system_channel_flags: 0,
      premium_tier: 0,
      premium_subscription_count: 0,
      premium_progress_bar_enabled: false,
      max_presences: null,
      max_members: 500_000,
      max_video_channel_users: 25,
      max_stage_video_channel_users: 50,
    };
  }

  /** topics/gateway-events: as GUILD_CREATE tells of it. */
  created(): object {
    const bot = this.member(this.#world.bot);
    return {
      ...this.toJSON(),
      joined_at: new Date(0).toISOString(),
      large: false,
      unavailable: false,
      member_count: this.members.size + 1,
      members: [bot, ...[...this.members.values()].map((user) => this.member(user))],
      channels: [...this.channels.values()],
      threads: [],
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    };
  }
}

/** What a plain guild does not have. */
const ABSENT = [
  "icon",
  "description",
  "home_header",
  "splash",
  "discovery_splash",
  "banner",
  "application_id",
  "afk_channel_id",
  "system_channel_id",
  "widget_channel_id",
  "vanity_url_code",
  "rules_channel_id",
  "safety_alerts_channel_id",
  "public_updates_channel_id",
  "incidents_data",
];
