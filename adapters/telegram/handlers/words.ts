import { browseHandler } from "../../kit/handlers/browse.ts";
import { choiceHandler } from "../../kit/handlers/choices.ts";
import type { Handler } from "../context/context.ts";
import { actHandlers } from "./act.ts";
import { answerHandler } from "./answer.ts";
import { commandHandler, commands } from "./commands.ts";
import { groupHandler } from "./groups.ts";
import { inlineHandler } from "./inline.ts";
import { wordsHandler } from "./last-word.ts";
import { pingHandler } from "./ping.ts";
import { platform, questions, telling } from "./platform.ts";
import { replyWordsHandler } from "./reply-words.ts";
import { reportsHandler } from "./reports.ts";
import { rulesHandler } from "./rules.ts";

/**
 * Handlers of words and what belongs to them, in their order. They come before the drafts' handlers, so that
 * a command or a key is never taken for a prompt; `lastWord` comes after those. telegraf's filters tell updates apart, but
 * its `Composer` is not this table: whoever feeds it does not hear whether anybody took an update, which the handlers that
 * all platforms share say, and its `Context` answers at once, past the throttler.
 */
export const wordHandlers: readonly Handler[] = [
  inlineHandler,
  groupHandler,
  answerHandler,
  rulesHandler,
  reportsHandler,
  commandHandler,
  commands.stepHandler,
  choiceHandler(platform),
  browseHandler(platform, { ask: (context, kind) => questions.ask(context, kind) }),
  ...actHandlers,
  pingHandler,
  wordsHandler,
  replyWordsHandler,
].map(telling);
