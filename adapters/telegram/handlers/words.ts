import { actClerk, sureClerk } from "./act.ts";
import { answerClerk } from "./answer.ts";
import { choiceClerk } from "./core-command.ts";
import { wordsClerk } from "./last-used.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import { isCommand } from "./command-names.ts";
import { answerPress } from "./press.ts";
import { runCommand } from "./command.ts";
import { type Clerk, pressedOf } from "../context/context.ts";
import { telling } from "../drafts/tell.ts";
import { groupClerk } from "./groups.ts";
import { inlineClerk } from "./inline.ts";
import { STEP } from "./start.ts";
import { templateClerk } from "./templates.ts";

/** Commands that are typed. In groups those of other bots are none of ours; an album is more than one message. */
const commandClerk: Clerk = async (visit) => {
  const command = commandIn(visit);
  const message = messageOf(visit);
  if (!command || !message || "media_group_id" in message) return false;
  const { name, words, named } = command;
  const isMeant = named || visit.origin.audience === "private" || isCommand(visit.intake.commands, name);
  if (isMeant) await runCommand(visit, name, words);
  return true;
};

/** Buttons that do what a command does, and the one that says how to send a photo. */
const stepClerk: Clerk = async (visit) => {
  const name = pressedOf(visit, STEP);
  if (name === undefined) return false;
  await answerPress(visit, name === "photo" ? visit.say("telegram.start.photo_hint") : undefined);
  if (name !== "photo") await runCommand(visit, name, "");
  return true;
};

/**
 * Whoever deals with words and what belongs to them, in their order. They come before the drafts' clerks, so that
 * a command or a key is never taken for a prompt; `lastWord` comes after those.
 */
export const wordClerks: readonly Clerk[] = [
  inlineClerk,
  groupClerk,
  answerClerk,
  commandClerk,
  stepClerk,
  choiceClerk,
  templateClerk,
  actClerk,
  sureClerk,
  wordsClerk,
].map(telling);
