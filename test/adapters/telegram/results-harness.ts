import { readFile } from "node:fs/promises";
import { TelegramError } from "telegraf";
import { reviseView } from "../../../adapters/kit/messages/channel.ts";
import { channelOf } from "../../../adapters/telegram/messages/post.ts";
import type { View } from "../../../src/seam/views.ts";
import type { TelegramAddress, TelegramReceipt } from "../../../adapters/telegram/context/address.ts";
import type { Services } from "../../../adapters/telegram/context/context.ts";
import { meaningOf, NoAnswer } from "../../../adapters/telegram/api/errors.ts";
import { ReelayError } from "../../../src/common/errors.ts";
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

/** The same services, at a Telegram that refuses some methods with these words. @param times how often */
export function refusing(
  services: Services,
  methods: readonly string[],
  description: string,
  times = Number.POSITIVE_INFINITY,
): Services {
  const { sender } = services;
  let left = times;
  const check = (method: string) => {
    if (!methods.includes(method) || left === 0) return;
    left -= 1;
    const cause = new TelegramError({ error_code: 400, description });
    throw meaningOf(cause) === "unreachable" ? new ReelayError("undeliverable", {}, { cause }) : cause;
  };
  const call: Sender["call"] = async (method, parameters, options) => {
    check(method);
    return sender.call(method, parameters, options);
  };
  const raw: Sender["raw"] = async (method, parameters, options) => {
    check(method);
    return sender.raw(method, parameters, options);
  };
  return { ...services, sender: { call, raw } };
}

/** The same services, whose process is killed before it hears Telegram's answer to a method. */
export function unheard(services: Services, lost: string): Services {
  const { sender } = services;
  const call: Sender["call"] = async (method, parameters, options) => {
    const answer = await sender.call(method, parameters, options);
    if (method === lost) throw new NoAnswer("killed");
    return answer;
  };
  return { ...services, sender: { call, raw: sender.raw.bind(sender) } };
}
