import { tellingBy } from "../../kit/pipeline/handler.ts";
import { ReelayError } from "../../../src/errors.ts";
import { addressOf } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import type { Draft } from "./draft.ts";
import { showDraft } from "./message.ts";
import type { ChatContext } from "../context/chat-context.ts";
import { post } from "../messages/post.ts";

/** Does something with a draft; what is wrong with it is told in the draft, which stays as it was. */
export async function inDraft(context: ChatContext, draft: Draft, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    const { code, params } = error;
    await showDraft(context, { ...draft, problem: { code, params } });
  }
}

/** A handler that tells people what is wrong with what they sent, in a message of its own. */
export const telling = tellingBy<UpdateContext>((context, view) =>
  post(context, addressOf(context.origin.address), view),
);
