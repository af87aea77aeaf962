import type { ChatAction } from "telegraf/types";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { TELEGRAM } from "../api/limits.ts";

/** Telegram shows an action for five seconds (https://core.telegram.org/bots/api#sendchataction). */
const REPEAT_MS = 4_500;

/** The largest file that the Bot API server takes, in bytes, as far as that is known before it refuses. */
export function uploadLimit({ host }: { readonly host: Pick<SurfaceHost, "config"> }): number {
  return host.config.telegram?.apiRoot === undefined ? TELEGRAM.upload : TELEGRAM.local;
}

/** Shows people that a file is on its way for as long as a task takes; whether they see it does not matter. */
export async function whileUploading<T>(
  { sender, host }: Pick<Services, "sender"> & { readonly host: Pick<SurfaceHost, "log"> },
  { chat, topic }: TelegramAddress,
  action: ChatAction,
  task: () => Promise<T>,
): Promise<T> {
  const where = { chat_id: chat, ...(topic !== undefined && { message_thread_id: topic }) };
  const show = () =>
    void sender.call("sendChatAction", { ...where, action }).catch((err: unknown) => {
      host.log.debug({ err }, "An upload could not be announced");
    });
  show();
  const repeating = setInterval(show, REPEAT_MS);
  try {
    return await task();
  } finally {
    clearInterval(repeating);
  }
}
