import { type APIMessageComponentInteraction, InteractionType, MessageFlags } from "discord.js";
import type { Memory } from "../../../src/common/memory.ts";
import type { DiscordAddress, DiscordReceipt } from "./address.ts";
import type { Api, MessageBody, Token } from "../api/api.ts";
import type { Interaction } from "./interaction.ts";
import { DISCORD } from "../api/limits.ts";
import { OutOfReach } from "./reach.ts";

const PRESSED = "pressed:";

/**
 * Whether somebody pressed something on a message that others see, in a place where the bot itself is not: there only a
 * press lets a message be changed, once what it answered is over.
 */
export function isOnlyWay(
  interaction: Interaction,
  { present, inConversation }: Pick<DiscordAddress, "present" | "inConversation">,
): interaction is APIMessageComponentInteraction {
  if (interaction.type !== InteractionType.MessageComponent || present || inConversation) return false;
  return ((interaction.message.flags ?? 0) & MessageFlags.Ephemeral) === 0;
}

/** Remembers the newest press on a message, for as long as it lets the message be changed. */
export async function notePress(
  memory: Memory,
  { message, id, token }: APIMessageComponentInteraction,
): Promise<void> {
  await memory.set(PRESSED + message.id, { id, token } satisfies Token, DISCORD.tokenMs);
}

/** Changes a message by the newest press on it. @throws OutOfReach where that was too long ago */
export async function changeByPress(
  { api, memory }: { readonly api: Api; readonly memory: Memory },
  { message }: Pick<DiscordReceipt, "message">,
  body: MessageBody,
): Promise<void> {
  const pressed = await memory.get<Token>(PRESSED + message);
  if (!pressed) throw new OutOfReach();
  await api.editReply(pressed, "@original", body);
}
