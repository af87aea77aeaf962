import { firstMissing } from "../../../src/chat/filling.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { albumClerk } from "./album.ts";
import { audioClerk } from "./audio.ts";
import { answerPress, pressedMessage } from "./press.ts";
import { type Clerk, pressedOf, type Visit } from "../context/context.ts";
import type { Draft } from "../drafts/draft.ts";
import { wordsTarget, withWords } from "../drafts/answer.ts";
import { closeDraft, showDraft } from "../drafts/message.ts";
import { DRAFT } from "../drafts/page.ts";
import { pressed } from "../drafts/press.ts";
import { sayTo } from "../drafts/start.ts";
import { currentDraft, findDraft, hasBegun } from "../drafts/store.ts";
import { finish } from "../drafts/submit.ts";
import { answerOf, bystanderClerk } from "../drafts/target.ts";
import { inDraft, telling } from "../drafts/tell.ts";
import { markRegions } from "../drafts/mask.ts";
import { readRegions } from "../drafts/mask-view.ts";
import { answerPictureClerk, photoClerk, repliedPictureClerk } from "./photo.ts";

/** Presses on the drafts' buttons. */
const pressClerk: Clerk = async (visit) => {
  const what = pressedOf(visit, DRAFT);
  if (what === undefined) return false;
  const place = pressedMessage(visit);
  const draft = place && (await findDraft(visit.memory, place));
  if (draft && draft.owner !== visit.origin.user) await answerPress(visit, visit.say("error.not_yours"));
  else if (!draft || !(await press(visit, draft, what))) await tellTooLate(visit, place);
  return true;
};

/** A press that comes too late: what it is for has begun, or is gone. */
async function tellTooLate(visit: Visit, place: ReturnType<typeof pressedMessage>): Promise<void> {
  const quiet = place !== undefined && (await hasBegun(visit.memory, place));
  await answerPress(visit, visit.say(quiet ? "error.already_begun" : "error.stale_button"), { quiet });
}

/** @returns whether the button still means something */
async function press(visit: Visit, draft: Draft, what: string): Promise<boolean> {
  const [verb, name, digits = ""] = what.split(":");
  const sheet = sheetOf(draft, visit.intake.commands);
  if (verb === "cancel") await cancel(visit, draft);
  else if (verb === "submit" && sheet && !firstMissing(sheet.fields, draft.values))
    await finish(visit, draft, {
      agreed: sheet.agreement && sheet.agreement === name ? [sheet.agreement] : [],
      ...(digits !== "" && { price: Number(digits) }),
    });
  else if (verb === "mark" && sheet) {
    const field = sheet.fields.find((one) => one.name === name);
    if (!field) return false;
    await inDraft(visit, draft, () => markRegions({ talk: visit, draft, sheet, field }, readRegions(digits)));
  } else {
    const changed = await pressed(visit, draft, what);
    if (!changed) return false;
    await showDraft(visit, changed);
  }
  await answerPress(visit);
  return true;
}

/** Words: they go to the draft that they answer; said to a picture, they begin something with it. */
const wordsClerk: Clerk = async (visit) => {
  const { message, draft } = (await answerOf(visit)) ?? {};
  if (!message || !draft || !("text" in message)) return false;
  const words = withoutMention(message.text, visit.username);
  const sheet = sheetOf(draft, visit.intake.commands);
  if (words === "") return false;
  if (!sheet) {
    await sayTo(visit, draft, words);
    return true;
  }
  const field = wordsTarget(draft, sheet);
  if (!field) return false;
  await inDraft(visit, draft, () => showDraft(visit, withWords(draft, sheet, field, words)));
  return true;
};

/**
 * Gives up the draft that a person works on in a chat.
 * @returns whether there was one
 */
export async function cancelDraft(visit: Visit): Promise<boolean> {
  const { memory, origin } = visit;
  const { chat } = addressOf(origin.address);
  const draft = (await answerOf(visit))?.draft ?? (await currentDraft(memory, origin.user, chat));
  if (draft) await cancel(visit, draft);
  return draft !== undefined;
}

const cancel = (visit: Visit, draft: Draft) => closeDraft(visit, draft, visit.say("job.cancelled"));

/** Whoever deals with what people send and choose, in their order. */
export const draftClerks: readonly Clerk[] = [
  pressClerk,
  bystanderClerk,
  wordsClerk,
  repliedPictureClerk,
  answerPictureClerk,
  albumClerk,
  photoClerk,
  audioClerk,
].map(telling);
