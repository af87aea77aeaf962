import { action } from "../../../src/seam/text/actions.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { findAsked, forgetAsked } from "../../kit/results/asked-again.ts";
import { waitingMessage } from "../../kit/results/show-result.ts";
import { ifThere, meaningOf } from "../api/errors.ts";
import { addressOf, isGroup, type TelegramAddress, type TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { sendHtml } from "./post-text.ts";
import { escapeHtml, mention, rendered } from "./render.ts";

/** How the ids of supergroups begin, whose messages have addresses (https://core.telegram.org/api/links#message-links). */
const SUPERGROUP = /^-100(?<id>\d+)$/;

/** Answers the message that shows a result, and calls whoever it is for. @returns whether that is still there */
export function pointAt({ sender }: Pick<Services, "sender">, shown: TelegramReceipt): Promise<boolean> {
  const { chat, message, topic, locale, user } = shown;
  const text = translator(locale)("view.shown");
  const pointer = {
    chat_id: chat,
    // In a group an answer to a bot calls nobody.
    text: user === undefined ? escapeHtml(text) : mention(user, text),
    parse_mode: "HTML" as const,
    reply_parameters: { message_id: message },
    ...(topic !== undefined && { message_thread_id: topic }),
  };
  return ifThere(() => sender.call("sendMessage", pointer, { chat }));
}

/**
 * Says to whoever asked in private where in a group their result is: by an answer to it. Telegram does not take that to every
 * chat, and says the same of a message that is gone: then there is a link, where there are any, and a button that brings it.
 */
export async function pointFrom(
  services: Pick<Services, "sender" | "memory" | "host">,
  asked: TelegramAddress,
  shown: TelegramReceipt,
  view: ResultView,
): Promise<void> {
  const { sender, memory, host } = services;
  const { chat, locale } = asked;
  const say = translator(locale);
  const pointer = {
    chat_id: chat,
    text: say("view.shown"),
    reply_parameters: { message_id: shown.message, chat_id: shown.chat },
  };
  try {
    await sender.call("sendMessage", pointer, { chat });
  } catch (err) {
    const meaning = meaningOf(err);
    if (meaning === undefined || !NOT_FROM_HERE.has(meaning)) throw err;
    host.log.info({ err, job: view.job.id }, "A group's result could not be pointed at in private");
    const why = [say("telegram.result_in_group"), ...linksTo(shown)].join("\n");
    const here = action("show-here", view.job.id, "action.show_here");
    await sendHtml(services, asked, rendered(waitingMessage(say, view, why, here)));
  }
  await forgetAsked(memory, view.job.id, shown.user);
}

/** As Telegram refuses an answer to a message that is elsewhere, or gone. */
const NOT_FROM_HERE: ReadonlySet<string> = new Set(["message_gone", "refused", "unreachable"]);

function linksTo({ chat, message }: TelegramReceipt): readonly string[] {
  const id = SUPERGROUP.exec(String(chat))?.groups?.["id"];
  return id === undefined ? [] : [`https://t.me/c/${id}/${message}`];
}

/** The private chat in which whoever a group's result is for has just asked to see it again; never another group. */
export async function askedIn(
  { memory }: Pick<Services, "memory">,
  job: string,
  at: TelegramAddress,
): Promise<TelegramAddress | undefined> {
  if (!isGroup(at)) return undefined;
  const asked = await findAsked(memory, job, at.user);
  return asked && addressOf(asked);
}
