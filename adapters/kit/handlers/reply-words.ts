import { ReelayError } from "../../../src/common/errors.ts";
import { isOwnToken, ownAction, ownPart, parseToken } from "../../../src/seam/text/actions.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import type { DraftMessages } from "../drafts/messages.ts";
import { takeEdit } from "../drafts/sent.ts";
import { DraftStore } from "../drafts/store.ts";
import type { Button } from "../messages/buttons.ts";
import type { ChatNotes } from "../messages/notes.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

/** The mark of buttons that press a result's own, and put the words that answered it into the form that opens. */
const WITH_WORDS = "r";

/** A button below a message that may show a result. */
type Offered = Pick<Button, "text" | "token">;

type NotedContext = ChatContext & { readonly notes: ChatNotes };

/** What is offered to words that answer a result: those of its own buttons that open a form for words. */
export function resultOffer(context: ChatContext, buttons: readonly Offered[]): NoticeView | undefined {
  const actions = buttons
    .filter(({ token }) => takesWords(context, token))
    .map(({ token, text }) => ownAction(WITH_WORDS, token, { key: "fact.text", params: { text } }));
  return actions.length > 0 ? { kind: "notice", text: { key: "chat.words.result" }, actions } : undefined;
}

/** The jobs of a result, by the buttons below it; none where it is no result. */
export const resultJobs = (context: ChatContext, buttons: readonly Pick<Button, "token">[]): Set<string> =>
  new Set(buttons.filter(({ token }) => takesWords(context, token)).map(({ token }) => jobOf(token)));

/**
 * Does what {@link resultOffer} offered. Nothing begins of it.
 * @param wordsFor the words that the pressed offer answers; undefined where they are known no more
 */
export function replyWordsHandler<Context extends ChatContext>(
  drafts: DraftMessages<Context>,
  { tokenOf, isTheirs, acknowledge }: Pick<ChatPlatform<Context>, "tokenOf" | "isTheirs" | "acknowledge">,
  wordsFor: (context: Context, token: string) => Promise<string | undefined>,
): HandlerFor<Context> {
  return async (context) => {
    const token = ownPart(tokenOf(context), WITH_WORDS);
    if (token === undefined) return false;
    if (!takesWords(context, token)) throw new ReelayError("stale_button");
    if (!(await isTheirs(context))) return true;
    await acknowledge(context);
    const { intake, memory, origin } = context;
    const store = new DraftStore(memory);
    const before = await store.current(origin);
    await intake.act(origin, token);
    const opened = await store.current(origin);
    const words = await wordsFor(context, token);
    if (opened && words !== undefined && opened.id !== before?.id)
      await takeEdit(drafts, context, opened, words);
    return true;
  };
}

/** Notes what can be pressed below a message that shows a result, on a platform that tells nothing of a message but its id. */
export async function noteResult<Posted extends { readonly message: string } | undefined>(
  notes: ChatNotes,
  chat: string,
  posted: Posted,
  buttons: readonly Offered[],
): Promise<Posted> {
  if (posted) await notes.keep(chat, resultIn(posted.message), buttons);
  return posted;
}

/**
 * Handlers of words that answer a result there: the first makes the offer, and comes before what takes words for a draft; the second
 * does what was offered.
 * @param saidIn the words of a message, and what it replies to
 */
export function notedReplyHandlers<Context extends NotedContext>(
  drafts: DraftMessages<Context>,
  platform: ChatPlatform<Context>,
  chatOf: (context: Context) => string,
  saidIn: (context: Context) => { readonly words: string; readonly of: string | undefined },
): readonly HandlerFor<Context>[] {
  const offer: HandlerFor<Context> = async (context) => {
    const { words, of } = saidIn(context);
    if (words === "" || of === undefined) return false;
    const { notes } = context;
    const chat = chatOf(context);
    const buttons = await notes.find<readonly Offered[]>(chat, resultIn(of));
    const view = buttons && resultOffer(context, buttons);
    if (!view) return false;
    for (const job of new Set(buttons.map(({ token }) => jobOf(token))))
      await notes.keep(chat, wordsOf(job), words);
    await platform.post(context, view);
    return true;
  };
  const press = replyWordsHandler(drafts, platform, (context, token) =>
    context.notes.find<string>(chatOf(context), wordsOf(jobOf(token))),
  );
  return [offer, press];
}

function takesWords({ intake }: ChatContext, token: string): boolean {
  return !isOwnToken(token) && intake.buttons.get(parseToken(token).command)?.takesWords === true;
}

const jobOf = (token: string) => parseToken(token).arg;
const resultIn = (message: string) => `result:${message}`;
const wordsOf = (job: string) => `words:${job}`;
