import { type APIUser, GatewayDispatchEvents, Locale, PermissionFlagsBits } from "discord.js";
import { Channel, type ChannelOptions, type Overwrites } from "./channel.ts";
import { Role } from "./role.ts";
import type { World } from "./world.ts";

/** What a new guild is like. */
export interface GuildOptions {
  readonly name: string;
  readonly locale?: Locale;
  /** Whether the bot is a member: true unless given. Without it, only user-installed apps work there. */
  readonly bot?: boolean;
}

/** Every permission that there is. */
const ALL = Object.values(PermissionFlagsBits).reduce((sum, one) => sum | one, 0n);

/** topics/permissions, "Permissions for Timed Out Members". */
const TIMED_OUT = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

const EVERYONE =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
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
  /** Until when members are timed out. */
  readonly #silent = new Map<string, number>();
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
      new Role({ id: this.id, name: "@everyone", permissions: EVERYONE }),
      new Role({
        id: world.id(),
        name: "Manager",
        permissions: EVERYONE | PermissionFlagsBits.ManageGuild,
      }),
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
    return this.#opened(new Channel(this.#world, { ...options, guild: this }));
  }

  /** Opens a thread in one of its channels. */
  thread(parent: Channel, options: Pick<ChannelOptions, "name"> = {}): Channel {
    return this.#opened(new Channel(this.#world, { ...options, guild: this, parent }));
  }

  #opened(channel: Channel): Channel {
    const { ChannelCreate, ThreadCreate } = GatewayDispatchEvents;
    this.channels.set(channel.id, channel);
    this.#world.channels.set(channel.id, channel);
    this.#world.tell(channel.parent ? ThreadCreate : ChannelCreate, channel.toJSON(), this);
    return channel;
  }

  /** Everybody has it, and no member's list of roles names it. */
  get everyone(): Role {
    return this.#roles[0];
  }

  /** Makes a role, and gives it to people. @param permissions what they may; the same as everybody unless given */
  role(name: string, people: readonly { readonly user: APIUser }[], permissions = EVERYONE): Role {
    const role = new Role({ id: this.#world.id(), name, permissions });
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

  /** Has a member keep silent until a time, in the fake's milliseconds since 1970. */
  timesOut({ id }: APIUser, until: number): void {
    this.#silent.set(id, until);
  }

  /** topics/permissions: what a member may do in it, and in a channel of it where that has overwrites. */
  permissionsOf(userId: string, overwrites: Overwrites = new Map()): bigint {
    const roles = this.#roles.filter((role) => this.#holders.get(role)?.has(userId));
    const moderating = this.#moderators.has(userId) ? PermissionFlagsBits.ModerateMembers : 0n;
    const base = roles.reduce((sum, role) => sum | role.permissions, this.everyone.permissions | moderating);
    if (userId === this.#ownerId || (base & PermissionFlagsBits.Administrator) !== 0n) return ALL;
    const levels = [[this.id], roles.map(({ id }) => id), [userId]];
    const there = levels.reduce((sum, ids) => {
      const those = ids.flatMap((id) => overwrites.get(id) ?? []);
      const denied = those.reduce((bits, { deny }) => bits | deny, 0n);
      return (sum & ~denied) | those.reduce((bits, { allow }) => bits | allow, 0n);
    }, base);
    return this.#isSilent(userId) ? there & TIMED_OUT : there;
  }

  #isSilent(userId: string): boolean {
    return (this.#silent.get(userId) ?? 0) > this.#world.clock.now();
  }

  member(user: APIUser): object {
    const { member } = this.#world.liberties;
    const until = this.#silent.get(user.id);
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
      // It may be over: resources/guild, "null or a time in the past if the user is not timed out".
      communication_disabled_until: until === undefined ? null : new Date(until).toISOString(),
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
      roles: this.#roles,
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
      channels: [...this.channels.values()].filter(({ parent }) => !parent),
      threads: [...this.channels.values()].filter(({ parent }) => parent),
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
