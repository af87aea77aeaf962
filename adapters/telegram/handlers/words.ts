import { browseHandler } from "../../kit/handlers/browse.ts";
import { choiceHandler } from "../../kit/handlers/choices.ts";
import type { Handler } from "../context/context.ts";
import { telling } from "./telling.ts";
import { actHandlers } from "./act.ts";
import { answerHandler } from "./answer.ts";
import { commandHandler, commands } from "./commands.ts";
import { groupHandler } from "./groups.ts";
import { inlineHandler } from "./inline.ts";
import { wordsHandler } from "./last-word.ts";
import { platform, questions } from "./platform.ts";

/**
 * Handlers of words and what belongs to them, in their order. They come before the drafts' handlers, so that
 * a command or a key is never taken for a prompt; `lastWord` comes after those.
 */
export const wordHandlers: readonly Handler[] = [
  inlineHandler,
  groupHandler,
  answerHandler,
  commandHandler,
  commands.stepHandler,
  choiceHandler(platform),
  browseHandler(platform, { ask: (context, kind) => questions.ask(context, kind) }),
  ...actHandlers,
  wordsHandler,
].map(telling);
