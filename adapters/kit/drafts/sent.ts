import { examined, someField } from "../../../src/seam/forms/examined.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { isPicture, wordsField } from "../../../src/seam/forms/filling.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import { type Address, mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { answering, type ChatContext } from "../pipeline/context.ts";
import { pictureTarget, withAnother, wordsTarget, withWords } from "./change.ts";
import type { Draft } from "./draft.ts";
import { mark } from "./mask.ts";
import type { DraftMessages } from "./messages.ts";
import { checkSound, checkTogether, secondsOf, type Sound } from "./sounds.ts";
import { sayTo, startWith, startWithout } from "./start.ts";
import { DraftStore } from "./store.ts";

/** What somebody sent that may be meant for a draft, or begin one. */
export interface Sent {
  /** Besides the bot's name. */
  readonly words: string;
  readonly picture?: MediaRef | undefined;
  /** Whether the platform made the picture anew of what was sent: then it is in order, and nobody fetches it to look. */
  readonly isRemade?: boolean;
  /** Its first frame is taken for a picture. */
  readonly video?: MediaRef | undefined;
  readonly sound?: Sound | undefined;
  readonly reply?: Replied | undefined;
}

interface Replied {
  /** The draft that would stand in it. */
  readonly draft: string;
  readonly picture?: MediaRef | undefined;
  /** What the address of an answer to it has of its own. */
  readonly address: Address;
}

/**
 * The draft of a person's own that something goes to: the one that it replies to, or, in private, the one that they worked
 * on last. What replies to something else is for none.
 */
export async function draftMeant(
  { memory, origin }: ChatContext,
  reply: Pick<Replied, "draft"> | undefined,
): Promise<Draft | undefined> {
  const store = new DraftStore(memory);
  const isFree = !reply && origin.audience === "private";
  const draft = reply ? await store.find(reply.draft) : isFree ? await store.current(origin) : undefined;
  return draft?.owner === origin.user ? draft : undefined;
}

/**
 * Takes what somebody sent for an answer to a draft of theirs, or words for what they want of the picture that they reply
 * to. What is said to somebody else's draft is left alone.
 */
export async function takeAnswer<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  sent: Sent,
): Promise<boolean> {
  const { memory, origin } = context;
  const { words, picture, sound, reply } = sent;
  const replied = reply && (await new DraftStore(memory).find(reply.draft));
  if (replied && replied.owner !== origin.user) return true;
  const draft = await draftMeant(context, reply);
  if (draft && (await putInto(drafts, context, draft, sent))) return true;
  if (picture || sound || !reply?.picture) return false;
  await beginWith(drafts, answering(context, reply.address), { words, picture: reply.picture });
  return true;
}

/** Takes words that were written anew for the words of the draft that began with them. */
export async function takeEdit<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  words: string,
): Promise<void> {
  const sheet = sheetOf(draft, context.intake.commands);
  const field = sheet && wordsField(sheet.fields);
  if (words === "" || (sheet && !field)) return;
  if (sheet && field)
    await drafts.attempt(context, draft, () => drafts.show(context, withWords(draft, sheet, field, words)));
  else await sayTo(drafts, context, draft, words);
}

/** Begins something with a picture or a sound that somebody sent; a sound takes the pictures of their draft along. */
export async function beginWith<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  { words, picture, isRemade, sound, reply }: Sent,
): Promise<boolean> {
  const { intake } = context;
  if (picture) {
    const given = { pictures: [picture], sounds: [], ...(words && { words }) };
    try {
      if (!isRemade) await checkPicture(context, picture);
    } catch (error) {
      if (error instanceof ReelayError && words && (await startWithout(drafts, context, given, error)))
        return true;
      throw error;
    }
    await startWith(drafts, context, given);
  } else if (sound) {
    await checkHeard(context, sound, someField(intake, isForSounds));
    const draft = await draftMeant(context, reply);
    const fields = draft && sheetOf(draft, intake.commands)?.fields.filter(isPicture);
    const pictures = fields?.flatMap(({ name }) => mediaIn(draft?.values[name])) ?? draft?.given.pictures;
    await startWith(drafts, context, { pictures: pictures ?? [], sounds: [sound.file] }, secondsOf(sound));
  }
  return picture !== undefined || sound !== undefined;
}

/**
 * Looks at a picture when it comes, before anything is made of it.
 * @throws ReelayError for one that can never be sent, as `Intake.examine` tells
 */
export function checkPicture({ intake, origin }: ChatContext, picture: MediaRef): Promise<void> {
  return examined(intake, origin, someField(intake, isPicture), picture);
}

/** @returns whether the draft has a use for it */
async function putInto<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  sent: Sent,
): Promise<boolean> {
  const { words, picture, isRemade, sound } = sent;
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) {
    if (picture || sound || words === "") return false;
    await sayTo(drafts, context, draft, words);
    return true;
  }
  const field = targetOf(draft, sheet, sent);
  if (!field) return false;
  await drafts.attempt(context, draft, async () => {
    if (sound) {
      await checkHeard(context, sound, field);
      const heard = { ...draft, seconds: { ...draft.seconds, ...secondsOf(sound) } };
      const changed = withAnother(heard, sheet, field, sound.file);
      checkTogether(changed, field);
      return drafts.show(context, changed);
    }
    if (!picture) return drafts.show(context, withWords(draft, sheet, field, words));
    if (!isRemade) await checkPicture(context, picture);
    if (field.control === "mask") return mark(drafts, { context, draft, sheet, field }, picture);
    const pictured = withAnother(draft, sheet, field, picture);
    const forWords = words === "" ? undefined : wordsField(sheet.fields);
    await drafts.show(context, forWords ? withWords(pictured, sheet, forWords, words) : pictured);
  });
  return true;
}

/** The field that something goes to. What replies to a draft is certainly meant for it. */
function targetOf(draft: Draft, sheet: Sheet, { words, picture, sound, reply }: Sent): FieldSpec | undefined {
  if (picture) return pictureTarget(draft, sheet, reply !== undefined);
  if (sound) return sheet.fields.find(isForSounds);
  return words === "" ? undefined : wordsTarget(draft, sheet);
}

/** What the platform says of it first: nothing is fetched for what cannot be used in any case. */
async function checkHeard(
  { intake, origin }: ChatContext,
  sound: Sound,
  field: FieldSpec | undefined,
): Promise<void> {
  if (field?.sounds) checkSound(sound, field.sounds);
  await examined(intake, origin, field, sound.file);
}

const isForSounds = ({ control }: FieldSpec) => control === "sounds";
