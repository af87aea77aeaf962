import { PermissionFlagsBits as May } from "discord.js";
import type { DiscordAddress } from "./address.ts";
import { type Interaction, isThread } from "./interaction.ts";

/** What the bot needs where it posts, as Discord's settings name it; links to results are not looked up, which takes no right. */
const NEEDED = {
  view_channel: May.ViewChannel,
  send_messages: May.SendMessages,
  send_messages_in_threads: May.SendMessagesInThreads,
  attach_files: May.AttachFiles,
} as const;

/** One of them. */
export type Permission = keyof typeof NEEDED;

/**
 * What the bot may not do where something is asked, as Discord says with each interaction (interactions/receiving-and-responding,
 * `app_permissions`): a result could not be posted there once the interaction is over. Where the bot itself is not, or where
 * nobody else is, nothing is needed.
 */
export function lackingIn(
  { app_permissions: granted, channel }: Pick<Interaction, "app_permissions" | "channel">,
  { present, inConversation }: Pick<DiscordAddress, "present" | "inConversation">,
): Permission | undefined {
  if (!present || inConversation) return undefined;
  const send: Permission = channel && isThread(channel) ? "send_messages_in_threads" : "send_messages";
  const has = (permission: Permission) => (BigInt(granted) & NEEDED[permission]) !== 0n;
  return (["view_channel", send, "attach_files"] as const).find((permission) => !has(permission));
}
