import { createHash, randomBytes } from "node:crypto";
import { DISCORD } from "../api/limits.ts";
import { type DiscordAddress, type DiscordReceipt, isUnasked } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { isAlive, receiptFor } from "./posted.ts";
import { firstOf, OutOfReach } from "../context/reach.ts";

type Desk = Pick<Services, "api" | "replies">;

/** Posts nothing that was posted before. */
const fresh = () => randomBytes(9).toString("base64url");

/**
 * Says something to the person alone: in answer to what they asked, in answer to the newest thing that they did, or in
 * their direct messages. What they asked with a message is replied to where that stands; where nobody asked, it is said in
 * the channel.
 * @param nonce the same posts one message only within some minutes
 * @throws OutOfReach when they take no direct messages either
 */
export function tell(
  desk: Desk,
  address: DiscordAddress,
  body: MessageBody,
  nonce?: string,
): Promise<DiscordReceipt> {
  const { replyTo } = address;
  if (replyTo !== undefined)
    return firstOf([
      () => replyWith(desk, address, replyTo, body, nonce),
      () => write(desk, address, body, nonce ?? nonceOf(replyTo, body)),
    ]);
  const newest = address.user === undefined ? undefined : desk.replies.newestOf(address.user);
  const places = [address, ...(newest && newest.asked.id !== address.asked.id ? [newest] : [])];
  return firstOf([
    ...places.filter(isAlive).map((place) => () => answer(desk, place, body)),
    () => write(desk, address, body, nonce ?? fresh()),
  ]);
}

/** The same said of the same message is posted once, however often a crash repeats it. */
const nonceOf = (replyTo: string | undefined, { components }: MessageBody) =>
  createHash("sha256")
    .update(JSON.stringify([replyTo, components]))
    .digest("base64url")
    .slice(0, DISCORD.nonce);

/** Replies to a message, if there is one, for all to see who see that. */
export async function replyWith(
  { api }: Pick<Desk, "api">,
  address: DiscordAddress,
  replyTo: string | undefined,
  body: MessageBody,
  nonce = nonceOf(replyTo, body),
): Promise<DiscordReceipt> {
  const reference = replyTo !== undefined && {
    message_reference: { message_id: replyTo, fail_if_not_exists: false },
  };
  const message = await firstOf([
    // Replying takes a permission more than posting: to read what was said before.
    ...(reference ? [() => api.post(address.channel, { ...body, ...reference }, nonce)] : []),
    () => api.post(address.channel, body, nonce),
  ]);
  return receiptFor(address, message, { ephemeral: false });
}

async function answer(
  { replies }: Desk,
  address: DiscordAddress,
  body: MessageBody,
): Promise<DiscordReceipt> {
  const reply = replies.of(address);
  const message = await reply.tell(body);
  return receiptFor(address, message, { ephemeral: !address.inConversation && !reply.isPublic });
}

async function write({ api }: Desk, address: DiscordAddress, body: MessageBody, nonce: string) {
  const { inConversation, channel, user } = address;
  if (user === undefined)
    return receiptFor(address, await api.post(channel, body, nonce), { ephemeral: false });
  const conversation = inConversation ? channel : await api.conversation(user);
  const message = await api.post(conversation, body, nonce);
  return receiptFor(address, message, { ephemeral: false, conversation });
}

/**
 * Says something to everybody, or to the person alone where the address is secret, in answer to what they asked; where
 * nobody asked here, as `tell` does.
 * @throws OutOfReach when that was too long ago
 */
export async function publish(
  desk: Desk,
  address: DiscordAddress,
  body: MessageBody,
): Promise<DiscordReceipt> {
  const { replyTo } = address;
  if (replyTo !== undefined) return replyWith(desk, address, replyTo, body);
  if (isUnasked(address)) return tell(desk, address, body);
  if (!isAlive(address)) throw new OutOfReach();
  const { replies } = desk;
  const message = await replies.of(address).publish(body, address.secret);
  return receiptFor(address, message, { ephemeral: address.secret && !address.inConversation });
}
