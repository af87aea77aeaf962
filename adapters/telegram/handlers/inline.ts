import type { InlineQueryResultArticle } from "telegraf/types";
import { entriesOfKind, type BrowsedEntry, newsFirst, titleOf } from "../../../src/seam/browse/catalogues.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { TELEGRAM } from "../api/limits.ts";
import { deepLink, TEMPLATE_LINK } from "./links.ts";

/** How long Telegram may show the same answer again, in seconds: what is new is to be found soon. */
const CACHE_SECONDS = 30;

/** Finds templates to share in any chat: `@bot words`. */
export const inlineHandler: Handler = async (context) => {
  if (!("inline_query" in context.update)) return false;
  const { id, query, offset } = context.update.inline_query;
  const entries = await matching(context, query);
  const begin = Number(offset) || 0;
  const end = begin + TELEGRAM.inlineResults;
  const connect = { text: context.say("telegram.connect.first"), start_parameter: "connect" };
  await context.sender.call("answerInlineQuery", {
    inline_query_id: id,
    results: (entries ?? []).slice(begin, end).map((entry) => articleOf(context, entry)),
    next_offset: entries && end < entries.length ? String(end) : "",
    cache_time: entries ? CACHE_SECONDS : 0,
    is_personal: true,
    ...(!entries && { button: connect }),
  });
  return true;
};

/** Templates for words; new and featured ones first where there are none. Undefined while nobody pays for this person. */
async function matching(context: UpdateContext, words: string): Promise<readonly BrowsedEntry[] | undefined> {
  // Nobody knows where it will be posted, and who reads there.
  const anywhere: UpdateContext = { ...context, origin: { ...context.origin, audience: "group" } };
  try {
    const entries = await entriesOfKind(anywhere, "templates", words);
    return words.trim() ? entries : newsFirst(entries);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    return error.code === "not_connected" ? undefined : [];
  }
}

/** A template as it is listed, and as it is posted: with a button that opens the bot with it. */
function articleOf(
  { say, username }: UpdateContext,
  { code, suggestion }: BrowsedEntry,
): InlineQueryResultArticle {
  const title = titleOf(suggestion);
  const about = [suggestion.category, suggestion.description].filter(Boolean).join(" · ");
  const url = deepLink(username, TEMPLATE_LINK + code);
  return {
    type: "article",
    id: code,
    title,
    ...(about && { description: about }),
    input_message_content: { message_text: [title, about].filter(Boolean).join("\n") },
    reply_markup: { inline_keyboard: [[{ text: say("telegram.inline.use"), url }]] },
  };
}
