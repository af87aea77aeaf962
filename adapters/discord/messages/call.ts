import { RESTJSONErrorCodes } from "discord.js";
import type { MessageKey } from "../../../src/common/i18n.ts";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import type { Permission } from "../context/permissions.ts";
import { meaningOf, Refused } from "../api/errors.ts";
import { OutOfReach } from "../context/reach.ts";
import { replyWith } from "./tell.ts";

/** The bot cannot even see the channel. */
const MISSING_ACCESS: number = RESTJSONErrorCodes.MissingAccess;

/** What stands before something that is said to one person where others read along. */
export const openingFor = ({ inConversation, user }: DiscordAddress) =>
  inConversation || user === undefined ? "" : `<@${user}> `;

/**
 * Calls somebody in the channel where they asked, long after they did: in answer to what stands there of it.
 * @param body begins with {@link openingFor} them
 * @param nonce the same calls them once within some minutes
 * @throws OutOfReach where the bot itself may not post, or not this
 */
export async function call(
  services: Pick<Services, "api">,
  at: DiscordAddress | DiscordReceipt,
  body: MessageBody,
  nonce: string,
): Promise<DiscordReceipt> {
  const { user, present, secret } = at;
  if (!present || secret) throw new OutOfReach();
  const allowed_mentions = { users: user === undefined ? [] : [user], replied_user: false };
  const answered = "message" in at ? at.message : undefined;
  return replyWith(services, at, answered, { ...body, allowed_mentions }, nonce);
}

/**
 * The permission that was missing, by what Discord refused.
 * @param usual what it means where Discord does not say more
 * @returns undefined where it was none
 */
export function missingPermission(error: unknown, usual: Permission): MessageKey | undefined {
  const refusal = error instanceof OutOfReach ? error.cause : error;
  if (meaningOf(refusal) !== "forbidden") return undefined;
  const isHidden = refusal instanceof Refused && refusal.code === MISSING_ACCESS;
  return `discord.permission.${isHidden ? "view_channel" : usual}`;
}
