import { ownAction, ownPart } from "../../../src/seam/text/actions.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import { takesFiles } from "../../../src/seam/forms/filling.ts";
import type { NoticeView, ProblemView } from "../../../src/seam/views.ts";
import { step } from "../messages/buttons.ts";
import type { ChatNotes } from "../messages/notes.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

/** The mark of buttons that make something of the words that they answer. */
export const WORDS = "w";

/** How long words wait for the photo that they are for, in milliseconds: whoever is told to send one looks for it first. */
const WORDS_WAIT_MS = 5 * 60_000;

/** Under which words are noted until their photo comes. */
const WAITING = "words:waiting";

/** What can be done instead of what cannot be. */
const WAYS_ON = [
  step("photo", { key: "chat.start.photo" }),
  step("templates", { key: "chat.start.templates" }),
];

/** A problem with what somebody sent, with the way on where it has no button of its own. */
export function leadOn(view: NoticeView | ProblemView): NoticeView | ProblemView {
  const isOfFile = view.kind === "problem" && /^(media|video|sound)_/.test(view.problem.code);
  return isOfFile && !view.actions ? { ...view, actions: WAYS_ON } : view;
}

/** Says what to do instead with what nobody has a use for, and offers what can be made of words alone. */
export function leftoverView(commands: readonly CommandSpec[], words: string): NoticeView {
  const steps = [step("templates", { key: "chat.start.templates" }), step("help", { key: "command.help" })];
  if (!words) return { kind: "notice", text: { key: "chat.what" }, actions: steps };
  const offers = commands.filter(needsNoFile);
  const actions = offers.map(({ name, label }) => ownAction(WORDS, name, { key: label }));
  return { kind: "notice", text: { key: "chat.words" }, actions: [...actions, ...steps] };
}

/**
 * The same, where whoever wrote is known by their chat alone: the words are remembered for the buttons, and who wrote none lately is told
 * first what there is here. Nothing else greets them, where the first word is theirs.
 */
export async function leftoverNoted(
  { intake, notes, say }: ChatContext & { readonly notes: ChatNotes },
  chat: string,
  words: string,
): Promise<NoticeView> {
  const view = leftoverView(intake.commands, words);
  if (!words) return view;
  const isNew = (await notes.find(chat, "words")) === undefined;
  await Promise.all([notes.keep(chat, "words", words), notes.keep(chat, WAITING, words)]);
  if (!isNew) return view;
  const text = `${say("chat.start")}\n\n${say("chat.words")}`;
  const language = step("language", { key: "command.language" });
  const actions = [...(view.actions ?? []), language];
  return { ...view, text: { key: "fact.text", params: { text } }, actions };
}

/** The words that somebody wrote just before, of which nothing was made yet. */
export const wordsWaiting = (notes: ChatNotes, chat: string): Promise<string | undefined> =>
  notes.find<string>(chat, WAITING, WORDS_WAIT_MS);

/** Has words wait no more: something is made of them, or of others. */
export const dropWaiting = (notes: ChatNotes, chat: string): Promise<void> => notes.drop(chat, WAITING);

/** Begins with what {@link leftoverNoted} remembered, where somebody chose what is to be made of it. */
export function wordsHandler<Context extends ChatContext & { readonly notes: ChatNotes }>(
  { tokenOf }: Pick<ChatPlatform<Context>, "tokenOf">,
  chatOf: (context: Context) => string,
  begin: (context: Context, spec: CommandSpec, words: string) => Promise<unknown>,
): HandlerFor<Context> {
  return async (context) => {
    const operation = ownPart(tokenOf(context), WORDS);
    if (operation === undefined) return false;
    const spec = context.intake.commands.find(({ name }) => name === operation);
    const chat = chatOf(context);
    const words = await context.notes.find<string>(chat, "words");
    if (!spec || !needsNoFile(spec)) throw new ReelayError("stale_button");
    await dropWaiting(context.notes, chat);
    await begin(context, spec, words ?? "");
    return true;
  };
}

/** Says that nothing can be made of something, and the way on. */
export const uselessView = (key: MessageKey): NoticeView => ({
  kind: "notice",
  text: { key },
  actions: WAYS_ON,
});

function needsNoFile({ kind, fields }: CommandSpec): boolean {
  return kind === "operation" && !fields.some((field) => field.required && takesFiles(field));
}
