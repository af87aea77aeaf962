import { examined, someField } from "../../../src/seam/forms/examined.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { isPicture } from "../../../src/seam/forms/filling.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import { type Address, mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import { answering, type ChatContext } from "../pipeline/context.ts";
import { pictureTarget, withAnother, wordsTarget, withWords } from "./change.ts";
import type { Draft } from "./draft.ts";
import { mark } from "./mask.ts";
import type { DraftMessages } from "./messages.ts";
import { checkSound, checkTogether, secondsOf, type Sound } from "./sounds.ts";
import { sayTo, startWith } from "./start.ts";
import { DraftStore } from "./store.ts";

/** What somebody sent that may be meant for a draft, or begin one. */
export interface Sent {
  /** Besides the bot's name. */
  readonly words: string;
  readonly picture?: MediaRef | undefined;
  readonly sound?: Sound | undefined;
  /** What it replies to. */
  readonly reply?: Replied | undefined;
}

/** A message that is replied to. */
interface Replied {
  /** The draft that would stand in it. */
  readonly draft: string;
  readonly picture?: MediaRef | undefined;
  /** What the address of an answer to it has of its own. */
  readonly address: Address;
}

/** A draft that something is meant for. */
interface Answered {
  readonly draft: Draft;
  readonly isReply: boolean;
}

/**
 * The draft of a person's own that something goes to: the one that it replies to, or, in private, the one that they worked
 * on last. What replies to something else is for none.
 */
export async function draftMeant(
  { memory, origin }: ChatContext,
  reply: Pick<Replied, "draft"> | undefined,
): Promise<Answered | undefined> {
  const store = new DraftStore(memory);
  const isFree = !reply && origin.audience === "private";
  const draft = reply ? await store.find(reply.draft) : isFree ? await store.current(origin) : undefined;
  return draft && draft.owner === origin.user ? { draft, isReply: reply !== undefined } : undefined;
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
  const answered = await draftMeant(context, reply);
  if (answered && (await putInto(drafts, context, answered, sent))) return true;
  if (picture || sound || !reply?.picture) return false;
  await beginWith(drafts, answering(context, reply.address), { words, picture: reply.picture });
  return true;
}

/** Begins something with a picture or a sound that somebody sent; a sound takes the pictures of their draft along. */
export async function beginWith<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  { words, picture, sound, reply }: Sent,
): Promise<boolean> {
  const { intake } = context;
  if (picture) {
    await checkPicture(context, picture);
    await startWith(drafts, context, { pictures: [picture], sounds: [], ...(words && { words }) });
  } else if (sound) {
    await checkHeard(context, sound, someField(intake, isForSounds));
    const draft = (await draftMeant(context, reply))?.draft;
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
  { draft, isReply }: Answered,
  { words, picture, sound }: Sent,
): Promise<boolean> {
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) {
    if (picture || sound || words === "") return false;
    await sayTo(drafts, context, draft, words);
    return true;
  }
  const field = targetOf(draft, sheet, isReply, { words, picture, sound });
  if (!field) return false;
  await drafts.attempt(context, draft, async () => {
    if (sound) return drafts.show(context, await withSound(context, draft, sheet, field, sound));
    if (!picture) return drafts.show(context, withWords(draft, sheet, field, words));
    await checkPicture(context, picture);
    if (field.control === "mask") return mark(drafts, { context, draft, sheet, field }, picture);
    await drafts.show(context, withAnother(draft, sheet, field, picture));
  });
  return true;
}

function targetOf(
  draft: Draft,
  sheet: Sheet,
  isReply: boolean,
  { words, picture, sound }: Sent,
): FieldSpec | undefined {
  if (picture) return pictureTarget(draft, sheet, isReply);
  if (sound) return sheet.fields.find(isForSounds);
  return words === "" ? undefined : wordsTarget(draft, sheet);
}

async function withSound(
  context: ChatContext,
  draft: Draft,
  sheet: Sheet,
  field: FieldSpec,
  sound: Sound,
): Promise<Draft> {
  await checkHeard(context, sound, field);
  const seconds = { ...draft.seconds, ...secondsOf(sound) };
  const changed = withAnother({ ...draft, seconds }, sheet, field, sound.file);
  checkTogether(changed, field);
  return changed;
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
