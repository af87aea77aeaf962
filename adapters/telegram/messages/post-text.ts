import { cut } from "../../../src/seam/text/cut.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import { isOfPress, isSaidBefore } from "../../../src/seam/text/notices.ts";
import type { FileView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import type { SaidView } from "../../kit/messages/channel.ts";
import { ifThere } from "../api/errors.ts";
import { TELEGRAM } from "../api/limits.ts";
import {
  isGroup,
  placeOf,
  receiptFor,
  type TelegramAddress,
  type TelegramReceipt,
  whereIs,
} from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { render, type Rendered, withKeyboard } from "./render.ts";
import { currentTime } from "../../../src/common/time.ts";

/** What is said without a file. */
export type TextView = Exclude<SaidView, FileView>;

/** Posts a text. @param isQuiet whether nobody's phone rings */
export async function sendHtml(
  { sender }: Pick<Services, "sender">,
  address: TelegramAddress,
  { html, keyboard }: Rendered,
  isQuiet = false,
): Promise<TelegramReceipt> {
  const sent = await sender.call(
    "sendMessage",
    {
      ...placeOf(address),
      text: html,
      parse_mode: "HTML",
      ...(isQuiet && { disable_notification: true }),
      // The words of the service, or a template's name, may hold an address; a link leads to a whole file.
      link_preview_options: { is_disabled: true },
      ...withKeyboard(keyboard),
    },
    { chat: address.chat },
  );
  return receiptFor(address, { ...whereIs(sent), form: "text" });
}

/** Posts a view as a message of its own. */
export function sendText(
  services: Services,
  address: TelegramAddress,
  view: TextView,
): Promise<TelegramReceipt> {
  return sendHtml(
    services,
    address,
    render(translator(address.locale), view, isGroup(address)),
    isSaidBefore(view),
  );
}

/**
 * Shows a view in a message instead of its text.
 * @returns undefined where that is gone
 */
export function editText(
  services: Services,
  receipt: TelegramReceipt,
  view: TextView,
): Promise<TelegramReceipt | undefined> {
  const said = render(translator(receipt.locale), view, isGroup(receipt));
  return editHtml(services, receipt, said, view.kind === "progress");
}

/** The same with a text. @param isIdle whether nobody waits for it */
export async function editHtml(
  { sender }: Pick<Services, "sender">,
  receipt: TelegramReceipt,
  { html, keyboard }: Rendered,
  isIdle = false,
): Promise<TelegramReceipt | undefined> {
  const { chat, message } = receipt;
  const edit = {
    chat_id: chat,
    message_id: message,
    text: html,
    parse_mode: "HTML",
    // As where it is posted.
    link_preview_options: { is_disabled: true },
    reply_markup: keyboard,
  } as const;
  const options = { chat, ...(isIdle && { idle: `${chat} ${message}` }) };
  const isThere = await ifThere(() => sender.call("editMessageText", edit, options));
  return isThere ? receiptFor(receipt, { message, form: "text" }) : undefined;
}

/** The same; in a new message where that is gone. */
export async function replaceText(
  services: Services,
  receipt: TelegramReceipt,
  view: TextView,
): Promise<TelegramReceipt> {
  return (await editText(services, receipt, view)) ?? sendText(services, receipt, view);
}

/**
 * Shows a sentence over the chat, to whoever pressed alone, while their press waits for one.
 * @returns undefined for what is posted: nobody waits for it, it can be pressed, or is the last word on a job
 */
export async function sayAside(
  { sender, presses }: Services,
  address: TelegramAddress,
  view: TextView,
): Promise<TelegramReceipt | undefined> {
  const { press, locale } = address;
  const alsoDo = press === undefined ? undefined : presses.get(press);
  if (press === undefined || !alsoDo || !isSentence(view)) return undefined;
  presses.delete(press);
  // Before the answer: what comes of the job meanwhile is shown after it.
  alsoDo(view);
  const text = cut(linesOf(translator(locale), view, currentTime()).join("\n"), TELEGRAM.callbackAnswer);
  const isAlert = !isSaidBefore(view);
  await sender.call("answerCallbackQuery", { callback_query_id: press, text, show_alert: isAlert });
  // It is no message: what is said in its place later is posted.
  return receiptFor(address, { message: 0, form: "text" });
}

function isSentence(view: TextView): boolean {
  if (view.kind !== "notice" && view.kind !== "problem") return false;
  const { job, actions = [] } = view;
  const facts = view.kind === "notice" ? (view.facts ?? []) : [];
  // No button stands over the chat, but in a group nobody else is to be told.
  return job === undefined && (actions.length === 0 || isOfPress(view)) && facts.length === 0;
}
