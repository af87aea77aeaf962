import { ownPart } from "../../../src/seam/text/actions.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Draft } from "../drafts/draft.ts";
import type { DraftMessages } from "../drafts/messages.ts";
import { firstFrameOf } from "../drafts/first-frame.ts";
import { DRAFT } from "../drafts/page-parts.ts";
import { press } from "../drafts/press.ts";
import { beginWith, draftMeant, type Sent, takeAnswer } from "../drafts/sent.ts";
import { DraftStore } from "../drafts/store.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";
import { expectAnswer } from "./question.ts";

/** Presses that come to nothing are answered where they were made, without a message. */
const REFUSALS: ReadonlySet<string> = new Set(["not_yours", "already_begun", "stale_button"]);

/** How a platform tells what is meant for its drafts. */
interface DraftRules<Context> {
  /** What somebody sent that drafts have a use for. */
  readonly sentIn: (context: Context) => Sent | undefined;
  /** The id of the draft whose button was pressed. */
  readonly pressedDraft: (context: Context) => string;
  /** Says to whoever pressed why nothing comes of it. */
  readonly refuse: (context: Context, why: ReelayError) => Promise<unknown>;
  /** Takes the buttons from the message of a draft that is over, and was pressed there; left out where no message can be changed. */
  readonly repair?: (context: Context) => Promise<unknown>;
}

/** Handlers of what belongs to drafts: their buttons, answers to them, and what begins one. */
export function draftHandlers<Context extends ChatContext>(
  drafts: DraftMessages<Context>,
  { tokenOf, acknowledge }: Pick<ChatPlatform<Context>, "tokenOf" | "acknowledge">,
  { sentIn, pressedDraft, refuse, repair }: DraftRules<Context>,
): Readonly<Record<"press" | "answer" | "begin", HandlerFor<Context>>> & {
  /** Answers a press before its turn, as far as it can be told then what comes of it. */
  readonly answerAtOnce: (context: Context) => Promise<void>;
} {
  /** The drafts that a press is under way on. */
  const underWay = new Set<string>();

  /** @returns the draft that was pressed; undefined where whoever pressed was told why nothing comes of it */
  async function pressed(context: Context, isItsTurn: boolean): Promise<Draft | undefined> {
    try {
      const draft = await new DraftStore(context.memory).own(context.origin, pressedDraft(context));
      await acknowledge(context);
      return draft;
    } catch (error) {
      if (!(error instanceof ReelayError) || !REFUSALS.has(error.code)) throw error;
      await refuse(context, error);
      // Before its turn a draft may be posted, and not kept yet.
      if (isItsTurn && error.code !== "not_yours") await repair?.(context);
      return undefined;
    }
  }

  return {
    async answerAtOnce(context) {
      if (ownPart(tokenOf(context), DRAFT) === undefined) return;
      const id = pressedDraft(context);
      // What this one comes to, such as that it has begun, is known once the one before it was dealt with.
      if (underWay.has(id)) return;
      underWay.add(id);
      await pressed(context, false);
    },
    async press(context) {
      const what = ownPart(tokenOf(context), DRAFT);
      if (what === undefined) return false;
      try {
        const draft = await pressed(context, true);
        if (draft) await press(drafts, context, draft, what);
        if (draft && what === "key") await expectAnswer(context, "key");
      } finally {
        underWay.delete(pressedDraft(context));
      }
      return true;
    },
    async answer(context) {
      const sent = sentIn(context);
      if (!sent?.video) return sent !== undefined && takeAnswer(drafts, context, sent);
      const seen = { ...sent, picture: await firstFrameOf(context, sent.video) };
      return (await takeAnswer(drafts, context, seen)) || beginWith(drafts, context, seen);
    },
    async begin(context) {
      const sent = sentIn(context);
      return sent !== undefined && beginWith(drafts, context, sent);
    },
  };
}

/** Gives up the draft that somebody answers, or else all that they can go on with in a chat. @returns how many those were */
export async function cancelDrafts<Context extends ChatContext>(
  drafts: DraftMessages<Context>,
  context: Context,
  reply: Sent["reply"],
): Promise<number> {
  const meant = reply && (await draftMeant(context, reply));
  const open = meant ? [meant] : await new DraftStore(context.memory).open(context.origin);
  const [only] = open;
  if (only && open.length === 1) await drafts.cancel(context, only);
  else await drafts.drop(context, open);
  return open.length;
}

/** The draft that asks for a key in the chat where somebody is. */
export async function draftAskingKey({ memory, origin }: ChatContext): Promise<Draft | undefined> {
  const draft = await new DraftStore(memory).current(origin);
  return draft?.owner === origin.user && draft.screen.show === "key" ? draft : undefined;
}
