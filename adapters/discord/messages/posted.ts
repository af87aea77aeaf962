import type { APIMessage } from "discord.js";
import { type DiscordAddress, type DiscordReceipt, UNASKED } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import { firstOf, OutOfReach } from "../context/reach.ts";
import { currentTime } from "../../../src/common/time.ts";

/** What a message becomes, where files of so many bytes are taken. */
export type MessageChange = (fileLimit: number) => MessageBody | Promise<MessageBody>;

/** Whether more can be said in the interaction that something was asked with. */
export const isAlive = ({ asked }: DiscordAddress) => asked.until > currentTime();

/** What a message is found by that was posted there. */
export function receiptFor(
  address: DiscordAddress,
  { id }: APIMessage,
  where: Pick<DiscordReceipt, "ephemeral" | "conversation">,
): DiscordReceipt {
  return { ...address, message: id, ...where };
}

/**
 * Changes a message by its interaction's token, which takes what the person's server or subscription allows.
 * @returns what it became
 * @throws OutOfReach, or what `isOutOfReach` knows, when it is gone or the token is dead
 */
export async function changeAsAnswer(
  { api }: Pick<Services, "api">,
  receipt: DiscordReceipt,
  to: MessageChange,
): Promise<MessageBody> {
  if (!isByToken(receipt)) throw new OutOfReach();
  const body = await to(receipt.fileLimit);
  await api.editReply(receipt.asked, receipt.message, body);
  return body;
}

/** The same as any message of the bot's, where the bot can see it. */
async function changeAsOwn(
  { api }: Pick<Services, "api">,
  receipt: DiscordReceipt,
  to: MessageChange,
): Promise<MessageBody> {
  if (!isAnybodys(receipt)) throw new OutOfReach();
  const { channel, conversation = channel, message, fileLimit } = receipt;
  const body = await to(Math.min(fileLimit, DISCORD.file));
  await api.edit(conversation, message, body);
  return body;
}

/**
 * Changes a message, the one way or the other.
 * @returns what it became
 * @throws OutOfReach when it is gone, or no way leads to it any more
 */
export function change(
  services: Pick<Services, "api">,
  receipt: DiscordReceipt,
  to: MessageChange,
): Promise<MessageBody> {
  return firstOf([() => changeAsAnswer(services, receipt, to), () => changeAsOwn(services, receipt, to)]);
}

/** Takes a message back, the one way or the other; what is gone already is taken back. */
export async function remove({ api }: Pick<Services, "api">, receipt: DiscordReceipt): Promise<void> {
  const { asked, channel, conversation, message } = receipt;
  await firstOf([
    ...(isByToken(receipt) ? [() => api.deleteReply(asked, message)] : []),
    ...(isAnybodys(receipt) ? [() => api.delete(conversation ?? channel, message)] : []),
  ]);
}

/** A body that leaves nothing of what a message showed before: an edit keeps what it does not name. */
export const replacing = (body: MessageBody): MessageBody => ({ attachments: [], ...body });

/** An address that leads to a message in Discord's clients. */
export function linkTo({ guild, channel, conversation, message }: DiscordReceipt): string {
  const server = conversation === undefined ? guild : undefined;
  return `https://discord.com/channels/${server ?? "@me"}/${conversation ?? channel}/${message}`;
}

/** Whether others can read it, or what is published there. */
export const isPublic = (at: DiscordAddress | DiscordReceipt) =>
  !at.inConversation && ("message" in at ? !at.ephemeral && at.conversation === undefined : !at.secret);

/** Whether one person alone sees it in a channel, or what is published there: only the token of its interaction changes that. */
export const isHidden = (at: DiscordAddress | DiscordReceipt) =>
  "message" in at ? at.ephemeral : at.secret && !at.inConversation;

/** A message without whose it is; undefined where nobody else sees it. */
export function unnamed(receipt: DiscordReceipt): DiscordReceipt | undefined {
  const { user: _, ...others } = receipt;
  return isPublic(receipt) ? { ...others, asked: UNASKED } : undefined;
}

const isByToken = (receipt: DiscordReceipt) => receipt.conversation === undefined && isAlive(receipt);

const isAnybodys = ({ ephemeral, present, conversation }: DiscordReceipt) =>
  !ephemeral && (present || conversation !== undefined);
