import { readFile } from "node:fs/promises";
import { TelegramError } from "telegraf";
import { reviseView } from "../../../adapters/kit/messages/channel.ts";
import { channelOf } from "../../../adapters/telegram/messages/post.ts";
import type { View } from "../../../src/seam/views.ts";
import type { TelegramAddress, TelegramReceipt } from "../../../adapters/telegram/context/address.ts";
import type { Services } from "../../../adapters/telegram/context/context.ts";
import type { Sender } from "../../../adapters/telegram/api/telegraf-sender.ts";
import { picture } from "../../support/results.ts";
import { transport } from "./transport-harness.ts";

/** Replaces what was posted, as the surface does. */
export const replace = (services: Services, receipt: TelegramReceipt, view: View) =>
  reviseView(channelOf(services), receipt, view);

/** Ann has sent a photo; where she is answered. `await using` stops it. */
export async function harness(options: Parameters<typeof transport>[0] = {}) {
  const carried = await transport(options);
  const ann = carried.telegram.person({ name: "Ann", language_code: "en" });
  const photo = await ann.sendsPhoto(await readFile(picture));
  const address: TelegramAddress = { chat: photo.chatId, replyTo: photo.id, locale: "en" };
  const answers = () => ann.chat().filter(({ from }) => from === "bot");
  return {
    ...carried,
    ann,
    photo,
    address,
    /** What the bot has said, and what of it has files. */
    answers,
    files: () => answers().filter(({ media }) => media !== undefined),
  };
}

/** The same services, at a Telegram that refuses some methods with these words. */
export function refusing(services: Services, methods: readonly string[], description: string): Services {
  const { sender } = services;
  const call: Sender["call"] = async (method, parameters, options) => {
    if (methods.includes(method)) throw new TelegramError({ error_code: 400, description });
    return sender.call(method, parameters, options);
  };
  return { ...services, sender: { call, raw: sender.raw.bind(sender) } };
}
