import { codePoints } from "../html.ts";
import { captionContent, keyboardContent, textContent } from "../content.ts";
import { badRequest } from "../refusal.ts";
import type { InlineAnswer, InlineResult, World } from "../world.ts";

interface CallbackAnswer {
  readonly callback_query_id: string;
  readonly text?: string;
  readonly show_alert?: boolean;
  readonly url?: string;
}

function answerCallbackQuery(world: World, params: CallbackAnswer): true {
  const { callback_query_id: id, text = "", show_alert: alert = false, url } = params;
  if (codePoints(text) > world.limits.callbackAnswerLength) throw badRequest("MESSAGE_TOO_LONG");
  const { person } = world.callbacks.answer(id, { text, alert, ...(url !== undefined && { url }) });
  world.touch(person);
  return true;
}

function answerInlineQuery(world: World, params: InlineAnswer & { readonly inline_query_id: string }): true {
  const { inline_query_id: id, ...answer } = params;
  if (answer.results.length > world.limits.inlineResults) throw badRequest("RESULTS_TOO_MUCH");
  const ids = answer.results.map((result) => result.id);
  if (new Set(ids).size < ids.length) throw badRequest("RESULT_ID_DUPLICATE");
  for (const result of answer.results) checkResult(world, result);
  const { person } = world.searches.answer(id, answer);
  world.touch(person);
  return true;
}

/** API, InlineQueryResult `id`: 1 to 64 bytes; and what it would post must be fit to be posted. */
function checkResult(world: World, result: InlineResult): void {
  const { length } = Buffer.from(result.id);
  if (length < 1 || length > 64) throw badRequest("RESULT_ID_INVALID");
  inlineContent(world, result);
}

/** What choosing a result posts. A picture's own bytes stay where its URL says: only its caption is shown. */
export function inlineContent(world: World, result: InlineResult) {
  const content = result.input_message_content;
  return {
    ...(content ? textContent(world, content.message_text, content) : captionContent(world, result)),
    ...keyboardContent(world, result.reply_markup),
  };
}

export const answering = { answerCallbackQuery, answerInlineQuery };
