import type { NoticeView, ProblemView } from "../../../src/seam/views.ts";
import { startDraft } from "../../kit/drafts/start.ts";
import type { ChatPlatform } from "../../kit/handlers/platform.ts";
import { Questions } from "../../kit/handlers/question.ts";
import { refusingBy } from "../../kit/handlers/refusals.ts";
import { studioWords } from "../../kit/handlers/studio.ts";
import { deliverView } from "../../kit/messages/channel.ts";
import { type HandlerFor, tellingBy } from "../../kit/pipeline/handler.ts";
import { addressOf, type WhatsAppContext } from "../context/context.ts";
import { channelOf, drafts } from "../messages/channel.ts";
import { chosenIn } from "../../kit/messages/choices.ts";
import { say } from "../messages/post.ts";

/** Deals with what somebody sent, or leaves it to the next one. */
export type Handler = HandlerFor<WhatsAppContext>;

/** What was chosen, of buttons or of a list; undefined for everything else. */
export function chosen({ message }: WhatsAppContext) {
  const { button_reply: button, list_reply: row } = message?.interactive ?? {};
  const id = (button ?? row)?.id;
  return id === undefined ? undefined : chosenIn(id);
}

const postView = (context: WhatsAppContext, view: NoticeView | ProblemView) =>
  deliverView(channelOf(context), addressOf(context.origin.address), view);

/** What the kit's handlers work with. */
export const platform: ChatPlatform<WhatsAppContext> = {
  tokenOf: (context) => chosen(context)?.token,
  // Everybody is in private here, and nothing waits after a press.
  isTheirs: async () => true,
  acknowledge: async () => {},
  post: postView,
  replace: postView,
  startDraft: (context, operation, values) => startDraft(drafts, context, operation, values),
};

/** Says a sentence. @returns the message */
export const tell = (context: WhatsAppContext, text: string): Promise<string> =>
  say(context, addressOf(context.origin.address), { text, buttons: [] });

/** What is asked for in a message of its own. Nothing can be taken away there. */
export const questions = new Questions<WhatsAppContext>({
  ask: async (context, { text }) => ({ message: await tell(context, text) }),
  remove: async () => {},
});

/** Whose chat it is. */
export const chatOf = ({ origin }: WhatsAppContext) => addressOf(origin.address).chat;

/** Says what is wrong with what somebody sent. */
export const refuse = refusingBy<WhatsAppContext>({ chatOf, post: postView });

/** A handler that tells people what is wrong with what they asked for. */
export const telling = tellingBy<WhatsAppContext>(refuse);

/** Leads somebody to their own page. @param why what is said of it */
export const leadToStudio = async (context: WhatsAppContext, why: Parameters<typeof studioWords>[1]) =>
  void (await tell(context, await studioWords(context, why)));
