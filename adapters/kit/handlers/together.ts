import { ReelayError } from "../../../src/common/errors.ts";
import { sleep } from "../../../src/common/time.ts";
import type { Address, MediaRef } from "../../../src/seam/values.ts";
import { BLANK, type NewDraft } from "../drafts/draft.ts";
import type { DraftMessages } from "../drafts/messages.ts";
import { checkPicture } from "../drafts/sent.ts";
import { filledWith, startWith } from "../drafts/start.ts";
import { dropWaiting, wordsWaiting } from "./leftover.ts";
import type { ChatNotes } from "../messages/notes.ts";
import { answering, type ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";

/** Pictures that are sent together come within this time of each other, in milliseconds. */
const TOGETHER_MS = 1_200;

/** Under which those that have come are noted, until something is made of them. */
const TOGETHER = "together";

/** How many pictures of each chat have come and were not dealt with yet. */
export class WaitingPictures {
  readonly #waiting = new Map<string, number>();

  begin(chat: string): void {
    this.#waiting.set(chat, this.of(chat) + 1);
  }

  end(chat: string): void {
    const left = this.of(chat) - 1;
    if (left > 0) this.#waiting.set(chat, left);
    else this.#waiting.delete(chat);
  }

  of(chat: string): number {
    return this.#waiting.get(chat) ?? 0;
  }
}

/** A picture with what was said to it. */
interface SentPicture {
  /** The message that brought it. */
  readonly message: string;
  readonly picture: MediaRef;
  readonly words: string;
}

/** How a platform tells of pictures that may have been sent together. */
export interface TogetherRules<Context> {
  readonly sentIn: (context: Context) => SentPicture | undefined;
  readonly chatOf: (context: Context) => string;
  /** What the address of an answer to a message has of its own. */
  readonly answerTo: (message: string) => Address;
  /** Says what is wrong with a picture that nothing can be made of, if it came alone. @returns whether there was more to be done with it */
  readonly alone: HandlerFor<Context>;
}

/**
 * Makes one draft of pictures that are sent together, on a platform that does not say that they are: while others of them have not been
 * dealt with, each waits for those. Words that came just before belong to those that come without any.
 */
export function togetherHandler<
  Context extends ChatContext & { readonly notes: ChatNotes; readonly pictures: WaitingPictures },
>(
  drafts: DraftMessages<Context>,
  { sentIn, chatOf, answerTo, alone }: TogetherRules<Context>,
): HandlerFor<Context> {
  return async (context) => {
    const sent = sentIn(context);
    if (!sent) return false;
    const { notes, pictures } = context;
    const chat = chatOf(context);
    const problem = await problemWith(context, sent.picture);
    const earlier = (await notes.find<readonly SentPicture[]>(chat, TOGETHER)) ?? [];
    const others = earlier.filter(({ message }) => message !== sent.message);
    const parts = problem ? others : [...others, sent];
    await notes.keep(chat, TOGETHER, parts);
    if (pictures.of(chat) <= 1 && !problem) await sleep(TOGETHER_MS);
    const isLast = pictures.of(chat) <= 1;
    if (isLast) {
      const isBare = parts.every(({ words }) => words === "");
      const before = isBare ? await wordsWaiting(notes, chat) : undefined;
      for (const { message, pictures: meant, words } of meantIn(parts)) {
        const given = { pictures: meant, sounds: [], ...(words && { words }) };
        const at = apart(answering(context, answerTo(message)), message);
        if (before === undefined) await startWith(drafts, at, given);
        // They may have been for something else: nobody is charged before they see them beside the photo.
        else await drafts.open(at, await filledWith<NewDraft>(at, BLANK, { ...given, words: before }));
      }
      if (parts.length > 0) await dropWaiting(notes, chat);
      await notes.drop(chat, TOGETHER);
    }
    // Words that were said to it are not lost with it.
    if (problem && !(isLast && parts.length === 0 && (await alone(context)))) throw problem;
    return true;
  };
}

/** Has a picture that waits for others wait no more: its message is deleted. */
export async function dropPart(notes: ChatNotes, chat: string, message: string): Promise<void> {
  const parts = (await notes.find<readonly SentPicture[]>(chat, TOGETHER)) ?? [];
  const left = parts.filter((part) => part.message !== message);
  if (left.length < parts.length) await notes.keep(chat, TOGETHER, left);
}

/** The same, as a request of its own: under one name, one draft is shown and one job begins. */
function apart<C extends ChatContext>(context: C, message: string): C {
  const { request, ...origin } = context.origin;
  return { ...context, origin: { ...origin, ...(request && { request: `${request}:${message}` }) } };
}

/** What is meant together: a picture with words of its own, beside others that had some already, is meant for something else. */
function meantIn(parts: readonly SentPicture[]) {
  const meant: { message: string; pictures: MediaRef[]; words: string }[] = [];
  for (const { message, picture, words } of parts) {
    const last = meant.at(-1);
    if (!last || (words !== "" && last.words !== "")) meant.push({ message, pictures: [picture], words });
    else {
      last.pictures.push(picture);
      last.words ||= words;
    }
  }
  return meant;
}

async function problemWith(context: ChatContext, picture: MediaRef): Promise<ReelayError | undefined> {
  try {
    await checkPicture(context, picture);
    return undefined;
  } catch (error) {
    if (error instanceof ReelayError) return error;
    throw error;
  }
}
