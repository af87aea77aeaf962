import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIOverwrite,
  PermissionFlagsBits as May,
} from "discord.js";
import type { DiscordAddress } from "./address.ts";
import { type Interaction, isThread } from "./interaction.ts";

/** What the bot needs where it posts, as Discord's settings name it; links to results are not looked up, which takes no right. */
const NEEDED = {
  view_channel: May.ViewChannel,
  send_messages: May.SendMessages,
  send_messages_in_threads: May.SendMessagesInThreads,
  attach_files: May.AttachFiles,
} as const;

/** All that those who own or administrate a server may: whatever it is. */
const EVERYTHING = ~0n;

/** What is left to whoever is timed out (topics/permissions, "Permissions for Timed Out Members"). */
const TIMED_OUT = May.ViewChannel | May.ReadMessageHistory;

/** One of them. */
export type Permission = keyof typeof NEEDED;

/**
 * What the bot may not do where something is asked, as Discord says with each interaction (interactions/receiving-and-responding,
 * `app_permissions`): a result could not be posted there once the interaction is over. Where the bot itself is not, or where
 * nobody else is, nothing is needed.
 */
export const lackingIn = (
  { app_permissions: granted, channel }: Pick<Interaction, "app_permissions" | "channel">,
  address: Pick<DiscordAddress, "present" | "inConversation">,
): Permission | undefined =>
  needsRights(address) ? lackingOf(BigInt(granted), channel !== undefined && isThread(channel)) : undefined;

/** Whether the bot needs any where something is posted. */
export const needsRights = ({
  present,
  inConversation,
}: Pick<DiscordAddress, "present" | "inConversation">) => present && !inConversation;

/** The first right that is missing for posting a result. */
export function lackingOf(granted: bigint, inThread: boolean): Permission | undefined {
  const send: Permission = inThread ? "send_messages_in_threads" : "send_messages";
  const has = (permission: Permission) => (granted & NEEDED[permission]) !== 0n;
  return (["view_channel", send, "attach_files"] as const).find((permission) => !has(permission));
}

/** A channel's own rules; a thread has none: its channel's hold in it. */
export const overwritesOf = (channel: APIChannel): readonly APIOverwrite[] =>
  ("permission_overwrites" in channel && channel.permission_overwrites) || [];

/**
 * What a member may do in a channel, as Discord prescribes it (topics/permissions, "Permission Overwrites"): what everybody and
 * their roles may in the server, then what the channel takes and gives: to everybody, to those roles together, to them.
 * @param overwrites the channel's; in a thread, those of the channel that it is in
 * @param now milliseconds since 1970
 */
export function permissionsOf(
  { id: everyone, owner_id, roles }: Pick<APIGuild, "id" | "owner_id" | "roles">,
  { user, roles: own, communication_disabled_until: until }: Member,
  overwrites: readonly APIOverwrite[],
  now: number,
): bigint {
  const theirs = roles.filter(({ id }) => id === everyone || own.includes(id));
  const base = union(theirs.map(({ permissions }) => permissions));
  if (user.id === owner_id || (base & May.Administrator) !== 0n) return EVERYTHING;
  const granted = [[everyone], own, [user.id]].reduce((sum, ids) => {
    // A role that is gone may still have one.
    const those = overwrites.filter(({ id }) => ids.includes(id));
    return (sum & ~union(those.map(({ deny }) => deny))) | union(those.map(({ allow }) => allow));
  }, base);
  const isTimedOut = Date.parse(until ?? "") > now;
  return isTimedOut ? granted & TIMED_OUT : granted;
}

type Member = Pick<APIGuildMember, "user" | "roles" | "communication_disabled_until">;

const union = (bits: readonly string[]) => bits.reduce((sum, one) => sum | BigInt(one), 0n);
