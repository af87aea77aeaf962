import { randomBytes } from "node:crypto";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { isAlive, receiptFor } from "./posted.ts";
import { firstOf, OutOfReach } from "../context/reach.ts";

type Desk = Pick<Services, "api" | "replies">;

/** Posts nothing that was posted before. */
const fresh = () => randomBytes(9).toString("base64url");

/**
 * Says something to the person alone: in answer to what they asked, in answer to the newest thing that they did, or in
 * their direct messages. Where nobody asked it is said in the channel.
 * @param nonce the same posts one direct message only within some minutes
 * @throws OutOfReach when they take no direct messages either
 */
export function tell(
  desk: Desk,
  address: DiscordAddress,
  body: MessageBody,
  nonce = fresh(),
): Promise<DiscordReceipt> {
  const newest = address.user === undefined ? undefined : desk.replies.newestOf(address.user);
  const places = [address, ...(newest && newest.asked.id !== address.asked.id ? [newest] : [])];
  return firstOf([
    ...places.filter(isAlive).map((place) => () => answer(desk, place, body)),
    () => write(desk, address, body, nonce),
  ]);
}

async function answer(
  { replies }: Desk,
  address: DiscordAddress,
  body: MessageBody,
): Promise<DiscordReceipt> {
  const message = await replies.of(address).tell(body);
  return receiptFor(address, message, { ephemeral: !address.inConversation });
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
 * Says something to everybody, or to the person alone where the address is secret, in answer to what they asked.
 * @throws OutOfReach when that was too long ago
 */
export async function publish(
  { replies }: Desk,
  address: DiscordAddress,
  body: MessageBody,
): Promise<DiscordReceipt> {
  if (!isAlive(address)) throw new OutOfReach();
  const message = await replies.of(address).publish(body, address.secret);
  return receiptFor(address, message, { ephemeral: address.secret && !address.inConversation });
}
