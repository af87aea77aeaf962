import { isDeepStrictEqual } from "node:util";
import { examined, someField } from "../../../src/seam/forms/examined.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { firstMissing, isPicture } from "../../../src/seam/forms/filling.ts";
import { fillIn, type GivenFiles, offersFor, usable, usualOffer } from "../../../src/seam/forms/offers.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { mediaIn, type MediaRef, type Values } from "../../../src/seam/values.ts";
import { unknownOperation } from "../../../src/seam/unknown-operation.ts";
import { asReelayError, type ReelayError } from "../../../src/common/errors.ts";
import { seenWords } from "../../../src/seam/text/cut.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { screenAfter } from "./change.ts";
import { BLANK, type Draft, type NewDraft, originFor } from "./draft.ts";
import { firstFrameOf } from "./first-frame.ts";
import type { DraftMessages } from "./messages.ts";
import { DraftStore } from "./store.ts";
import { handOver } from "./submit.ts";

/** Says that some of the pictures were left out. */
const LEFT_OUT = "offers.first";

/**
 * Starts a draft of an operation.
 * @param values what is filled in already
 * @throws ReelayError `unknown_operation`
 */
export async function startDraft<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  operation: string,
  values: Values,
): Promise<void> {
  const draft = { ...BLANK, operation, values };
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) {
    const operations = context.intake.commands.filter(({ kind }) => kind === "operation");
    throw unknownOperation(
      operation,
      operations.map(({ name }) => name),
    );
  }
  await drafts.open(context, { ...draft, screen: screenAfter(sheet, values) });
}

/**
 * Starts a draft of an operation with what came with its command: the words are its text, and a picture that was sent along or is replied to
 * is its picture; of a video its first frame.
 * @throws ReelayError for a picture that can never be sent
 */
export async function startOperation<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  spec: CommandSpec,
  {
    words,
    picture: still,
    video,
  }: {
    readonly words: string;
    readonly picture?: MediaRef | undefined;
    readonly video?: MediaRef | undefined;
  },
): Promise<void> {
  const picture = still ?? (video && (await firstFrameOf(context, video)));
  if (picture) await examined(context.intake, context.origin, someField(context.intake, isPicture), picture);
  const said = seenWords(words);
  const pictures = picture ? [picture] : [];
  const values = fillIn(spec, { pictures, sounds: [], ...(said && { words: said }) });
  await startDraft(drafts, context, spec.name, values);
}

/**
 * Starts with what a person sent. With words to it, it is clear what is meant: that begins at once where it costs
 * no more than they allowed; else, and without words, they are asked.
 * @returns the draft; undefined where none was needed
 */
export async function startWith<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  given: GivenFiles,
  seconds: Draft["seconds"] = {},
): Promise<Draft | undefined> {
  const draft = await filledWith(context, { ...BLANK, seconds }, given);
  if (!(await mayBegin(context, draft))) return drafts.open(context, draft);
  try {
    await handOver(context, draft);
  } catch (error) {
    const { code, params } = asReelayError(error);
    return drafts.open(context, { ...draft, problem: { code, params } });
  }
  await new DraftStore(context.memory).noteUsed({ ...draft, owner: context.origin.user });
  return undefined;
}

/**
 * Starts with the words alone that were said to pictures which cannot be used: the draft says why, and asks for others.
 * @returns whether it is clear what they are words for
 */
export async function startWithout<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  given: GivenFiles,
  { code, params }: ReelayError,
): Promise<boolean> {
  const { operation, values } = await filledWith<NewDraft>(context, BLANK, given);
  if (operation === undefined) return false;
  const words = Object.entries(values).filter(([, value]) => mediaIn(value).length === 0);
  const problem = { code, params };
  await drafts.open(context, { ...BLANK, operation, values: Object.fromEntries(words), problem });
  return true;
}

/** Takes words for what is meant by the files of a draft that still offers what can be made of them. */
export async function sayTo<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  words: string,
): Promise<void> {
  const filled = await filledWith(context, draft, { ...draft.given, words });
  const there = { ...context, origin: originFor(context, draft) };
  if (await mayBegin(there, filled)) await drafts.submit(context, filled);
  else await drafts.show(context, filled);
}

/**
 * A draft with files that came after it was shown: what is meant is guessed anew.
 * @param given all of them
 * @returns undefined where something of it was chosen or changed since, and nothing can be put in its place
 */
export async function joined(
  context: ChatContext,
  { operation, values, ...others }: Draft,
  given: GivenFiles,
): Promise<Draft | undefined> {
  const blank = { ...others, values: BLANK.values, screen: BLANK.screen };
  const before: Draft = await filledWith(context, blank, others.given);
  const isUntouched = before.operation === operation && isDeepStrictEqual(before.values, values);
  return isUntouched ? filledWith(context, blank, given) : undefined;
}

/** What a draft of an operation begins with, given what was sent, and what of it was left out; undefined where nothing can be made of that. */
export function beginning(
  { intake }: ChatContext,
  given: GivenFiles,
  name: string,
): Pick<Draft, "given" | "operation" | "values" | "swapped" | "screen" | "note"> | undefined {
  const spec = offersFor(intake.commands, given).find((offer) => offer.name === name);
  const sheet = spec && sheetOf({ operation: name }, intake.commands);
  if (!sheet) return undefined;
  const values = fillIn(spec, given);
  const count = usable([spec], given);
  const isLess = count < given.pictures.length;
  return {
    given,
    operation: name,
    values,
    swapped: false,
    screen: screenAfter(sheet, values),
    ...(isLess && { note: { key: LEFT_OUT, params: { count } } }),
  };
}

/** With what is meant by files: what was used last, where words were said to them; else the one thing that there is. */
export async function filledWith<D extends NewDraft>(
  context: ChatContext,
  draft: D,
  given: GivenFiles,
): Promise<D> {
  const { intake, memory, origin } = context;
  const offers = offersFor(intake.commands, given);
  const meant =
    given.words !== undefined
      ? usualOffer(offers, await new DraftStore(memory).lastUsed(origin.user))
      : offers.length === 1
        ? offers[0]
        : undefined;
  return { ...draft, given, ...(meant && beginning(context, given, meant.name)) };
}

/** Whether what was said with words is complete, and may begin without being confirmed: nothing of it was left out. */
async function mayBegin({ intake, origin }: ChatContext, draft: NewDraft): Promise<boolean> {
  const { operation, values, given, note } = draft;
  const sheet = sheetOf(draft, intake.commands);
  if (operation === undefined || given.words === undefined || !sheet || note?.key === LEFT_OUT) return false;
  return !firstMissing(sheet.fields, values) && intake.mayBegin(origin, operation, values);
}
