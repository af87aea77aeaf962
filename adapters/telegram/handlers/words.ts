import { actHandler, sureHandler } from "./act.ts";
import { answerHandler } from "./answer.ts";
import { choiceHandler } from "./core-command.ts";
import { wordsHandler } from "./last-used.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { isCommand } from "./command-names.ts";
import { answerPress } from "./press.ts";
import { runCommand } from "./command.ts";
import { type Handler, pressedOf } from "../context/context.ts";
import { telling } from "../drafts/tell.ts";
import { groupHandler } from "./groups.ts";
import { inlineHandler } from "./inline.ts";
import { STEP } from "./start.ts";
import { templateHandler } from "./templates.ts";

/** Commands that are typed. In groups those of other bots are none of ours; an album is more than one message. */
const commandHandler: Handler = async (context) => {
  const command = commandIn(context);
  const message = messageOf(context);
  if (!command || !message || "media_group_id" in message) return false;
  const { name, words, named } = command;
  const isMeant = named || context.origin.audience === "private" || isCommand(context.intake.commands, name);
  if (isMeant) await runCommand(context, name, words);
  return true;
};

/** Buttons that do what a command does, and the one that says how to send a photo. */
const stepHandler: Handler = async (context) => {
  const name = pressedOf(context, STEP);
  if (name === undefined) return false;
  await answerPress(context, name === "photo" ? context.say("telegram.start.photo_hint") : undefined);
  if (name !== "photo") await runCommand(context, name, "");
  return true;
};

/**
 * Handlers of words and what belongs to them, in their order. They come before the drafts' handlers, so that
 * a command or a key is never taken for a prompt; `lastWord` comes after those.
 */
export const wordHandlers: readonly Handler[] = [
  inlineHandler,
  groupHandler,
  answerHandler,
  commandHandler,
  stepHandler,
  choiceHandler,
  templateHandler,
  actHandler,
  sureHandler,
  wordsHandler,
].map(telling);
