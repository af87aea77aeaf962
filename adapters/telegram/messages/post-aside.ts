import { cut } from "../../../src/chat/cut.ts";
import { linesOf } from "../../../src/chat/lines.ts";
import { isAlreadyBegun } from "../../../src/chat/refusal.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { TELEGRAM } from "../api/limits.ts";
import { receiptFor } from "../context/place.ts";
import type { TextView } from "./post-text.ts";

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
  if (press === undefined || !isSentence(view) || !presses.delete(press)) return undefined;
  const text = cut(linesOf(translator(locale), view, Date.now()).join("\n"), TELEGRAM.callbackAnswer);
  await sender.call("answerCallbackQuery", {
    callback_query_id: press,
    text,
    show_alert: !isAlreadyBegun(view),
  });
  // It is no message: what is said in its place later is posted.
  return receiptFor(address, { message: 0, form: "text" });
}

function isSentence(view: TextView): boolean {
  if (view.kind !== "notice" && view.kind !== "problem") return false;
  const { job, actions = [] } = view;
  const facts = view.kind === "notice" ? (view.facts ?? []) : [];
  return job === undefined && actions.length === 0 && facts.length === 0;
}
