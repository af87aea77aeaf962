import type { TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";

/** Taken everywhere without a word, and no gesture that is rude somewhere (API, ReactionTypeEmoji). */
const BEGUN = "👍";

/**
 * Reacts to what a person sent when their order begins. Whether the chat allows that, and whether they see it, does not
 * matter: nobody waits for it.
 */
export function acknowledge(
  { sender, host }: Pick<Services, "sender" | "host">,
  { chat, replyTo }: TelegramAddress,
): void {
  if (replyTo === undefined) return;
  const reaction = {
    chat_id: chat,
    message_id: replyTo,
    reaction: [{ type: "emoji", emoji: BEGUN } as const],
  };
  sender.call("setMessageReaction", reaction, { idle: `${chat} ${replyTo}` }).catch((err: unknown) => {
    host.log.debug({ err }, "A message was not reacted to");
  });
}
