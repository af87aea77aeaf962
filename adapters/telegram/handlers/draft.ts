import { firstMissing } from "../../../src/chat/filling.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { albumHandler } from "./album.ts";
import { audioHandler } from "./audio.ts";
import { answerPress, pressedMessage } from "./press.ts";
import { type Handler, pressedOf, type UpdateContext } from "../context/context.ts";
import type { Draft } from "../drafts/draft.ts";
import { wordsTarget, withWords } from "../drafts/answer.ts";
import { closeDraft, showDraft } from "../drafts/message.ts";
import { DRAFT } from "../drafts/page.ts";
import { pressed } from "../drafts/press.ts";
import { sayTo } from "../drafts/start.ts";
import { currentDraft, findDraft, hasBegun } from "../drafts/store.ts";
import { finish } from "../drafts/submit.ts";
import { answerOf, bystanderHandler } from "../drafts/target.ts";
import { inDraft, telling } from "../drafts/tell.ts";
import { markRegions } from "../drafts/mask.ts";
import { readRegions } from "../drafts/mask-view.ts";
import { answerPictureHandler, photoHandler, repliedPictureHandler } from "./photo.ts";

/** Presses on the drafts' buttons. */
const pressHandler: Handler = async (context) => {
  const what = pressedOf(context, DRAFT);
  if (what === undefined) return false;
  const place = pressedMessage(context);
  const draft = place && (await findDraft(context.memory, place));
  if (draft && draft.owner !== context.origin.user)
    await answerPress(context, context.say("error.not_yours"));
  else if (!draft || !(await press(context, draft, what))) await tellTooLate(context, place);
  return true;
};

/** A press that comes too late: what it is for has begun, or is gone. */
async function tellTooLate(context: UpdateContext, place: ReturnType<typeof pressedMessage>): Promise<void> {
  const quiet = place !== undefined && (await hasBegun(context.memory, place));
  await answerPress(context, context.say(quiet ? "error.already_begun" : "error.stale_button"), { quiet });
}

/** @returns whether the button still means something */
async function press(context: UpdateContext, draft: Draft, what: string): Promise<boolean> {
  const [verb, name, digits = ""] = what.split(":");
  const sheet = sheetOf(draft, context.intake.commands);
  if (verb === "cancel") await cancel(context, draft);
  else if (verb === "submit" && sheet && !firstMissing(sheet.fields, draft.values))
    await finish(context, draft, {
      agreed: sheet.agreement && sheet.agreement === name ? [sheet.agreement] : [],
      ...(digits !== "" && { price: Number(digits) }),
    });
  else if (verb === "mark" && sheet) {
    const field = sheet.fields.find((one) => one.name === name);
    if (!field) return false;
    await inDraft(context, draft, () =>
      markRegions({ context: context, draft, sheet, field }, readRegions(digits)),
    );
  } else {
    const changed = await pressed(context, draft, what);
    if (!changed) return false;
    await showDraft(context, changed);
  }
  await answerPress(context);
  return true;
}

/** Words: they go to the draft that they answer; said to a picture, they begin something with it. */
const wordsHandler: Handler = async (context) => {
  const { message, draft } = (await answerOf(context)) ?? {};
  if (!message || !draft || !("text" in message)) return false;
  const words = withoutMention(message.text, context.username);
  const sheet = sheetOf(draft, context.intake.commands);
  if (words === "") return false;
  if (!sheet) {
    await sayTo(context, draft, words);
    return true;
  }
  const field = wordsTarget(draft, sheet);
  if (!field) return false;
  await inDraft(context, draft, () => showDraft(context, withWords(draft, sheet, field, words)));
  return true;
};

/**
 * Gives up the draft that a person works on in a chat.
 * @returns whether there was one
 */
export async function cancelDraft(context: UpdateContext): Promise<boolean> {
  const { memory, origin } = context;
  const { chat } = addressOf(origin.address);
  const draft = (await answerOf(context))?.draft ?? (await currentDraft(memory, origin.user, chat));
  if (draft) await cancel(context, draft);
  return draft !== undefined;
}

const cancel = (context: UpdateContext, draft: Draft) =>
  closeDraft(context, draft, context.say("job.cancelled"));

/** Whoever deals with what people send and choose, in their order. */
export const draftHandlers: readonly Handler[] = [
  pressHandler,
  bystanderHandler,
  wordsHandler,
  repliedPictureHandler,
  answerPictureHandler,
  albumHandler,
  photoHandler,
  audioHandler,
].map(telling);
