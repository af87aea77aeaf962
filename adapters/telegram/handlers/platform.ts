import type { ChatPlatform } from "../../kit/handlers/platform.ts";
import { tellingBy } from "../../kit/pipeline/handler.ts";
import { leadOn } from "../../kit/handlers/leftover.ts";
import { Questions } from "../../kit/handlers/question.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { addressOf, receiptOf } from "../context/address.ts";
import { tokenOf, type UpdateContext } from "../context/context.ts";
import { startDraft } from "../../kit/drafts/start.ts";
import { drafts } from "../drafts/messages.ts";
import { post } from "../messages/post.ts";
import { replaceText } from "../messages/post-text.ts";
import { remove } from "../messages/take-back.ts";
import { answerPress, isOfSomebodyElse, pressedMessage } from "./press.ts";
import { tell } from "./tell.ts";

/** What the kit's handlers work with. */
export const platform: ChatPlatform<UpdateContext> = {
  tokenOf,
  async isTheirs(context) {
    if (!isOfSomebodyElse(context)) return true;
    await answerPress(context, context.say("error.not_yours"));
    return false;
  },
  acknowledge: (context) => answerPress(context),
  post: (context, view) => post(context, addressOf(context.origin.address), view),
  async replace(context, view) {
    const receipt = pressedMessage(context);
    if (!receipt) throw new ReelayError("stale_button");
    await replaceText(context, receipt, view);
  },
  startDraft: (context, operation, values) => startDraft(drafts, context, operation, values),
};

/** What is asked for in a message of its own. */
export const questions = new Questions<UpdateContext>({
  ask: (context, { text, placeholder }) =>
    tell(context, text, { force_reply: true, selective: true, input_field_placeholder: placeholder }),
  remove: (context, shown) => remove(context, receiptOf(shown)),
});

/** A handler that tells people what is wrong with what they asked for. */
export const telling = tellingBy<UpdateContext>((context, view) => platform.post(context, leadOn(view)));
