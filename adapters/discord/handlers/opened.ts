import type { HandlerFor } from "../../kit/pipeline/handler.ts";
import type { ReplyContext } from "../context/context.ts";

/**
 * Has what could not be posted in a channel, nor told in private, come there once somebody speaks with us in it and the bot
 * may post; where it is only somebody's own app, what they asked for. Leaves what they did to others.
 */
export const openedHandler: HandlerFor<ReplyContext> = async ({ intake, origin, address, reply }) => {
  const { user, chat } = origin;
  const at = { channel: address.channel };
  if (chat === undefined) await intake.chatOpened({ user, at });
  else if (reply.lacking === undefined)
    await intake.chatOpened({ chat, at, ...(!address.present && { user }) });
  return false;
};
