import type { TelegramLimits } from "./limits.ts";
import { badRequest } from "./refusal.ts";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "./wire.ts";

/** What a button may do, of which it must do exactly one. */
const DEEDS = [
  "callback_data",
  "url",
  "web_app",
  "login_url",
  "switch_inline_query",
  "switch_inline_query_current_chat",
  "switch_inline_query_chosen_chat",
  "copy_text",
  "callback_game",
  "pay",
];

/**
 * Checks an inline keyboard.
 * @param mayBeEmpty edits take a keyboard's buttons away by an empty one
 * @throws Refusal for what Telegram refuses, and for buttons that it would drop without a word
 */
export function checkKeyboard(
  markup: InlineKeyboardMarkup,
  limits: TelegramLimits,
  mayBeEmpty: boolean,
): void {
  const rows = markup.inline_keyboard;
  if (rows.length === 0 && !mayBeEmpty) throw badRequest("inline keyboard is empty");
  if (rows.some((row) => row.length === 0)) throw badRequest("a row of the inline keyboard is empty");
  if (rows.flat().length > limits.buttons) throw badRequest("REPLY_MARKUP_TOO_LONG");
  if (rows.some((row) => row.length > limits.buttonsInRow)) {
    throw badRequest("a row of the inline keyboard has too many buttons");
  }
  for (const button of rows.flat()) checkButton(button, limits);
}

function checkButton(button: InlineKeyboardButton, limits: TelegramLimits): void {
  if (button.text.trim() === "") throw unparsed('Field "text" must be non-empty');
  const deeds = DEEDS.filter((deed) => deed in button);
  if (deeds.length > 1) throw unparsed("exactly one action must be specified");
  if (deeds.length === 0 || button.callback_data === "") {
    throw unparsed("Text buttons are unallowed in the inline keyboard");
  }
  if (Buffer.byteLength(button.callback_data ?? "") > limits.callbackDataBytes) {
    throw badRequest("BUTTON_DATA_INVALID");
  }
  // API, WebAppInfo: "An HTTPS URL".
  if (button.web_app && !button.web_app.url.startsWith("https://"))
    throw badRequest(
      `inline keyboard button web app URL '${button.web_app.url}' is invalid: Only HTTPS links are allowed`,
    );
  if (button.url !== undefined && !/^(https?|tg):\/\/./.test(button.url)) {
    throw badRequest(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
  }
}

const unparsed = (what: string) => badRequest(`can't parse inline keyboard button: ${what}`);
