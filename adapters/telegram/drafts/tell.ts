import { tellingBy } from "../../../src/chat/handler.ts";
import { ReelayError } from "../../../src/errors.ts";
import { addressOf } from "../context/address.ts";
import type { Visit } from "../context/context.ts";
import type { Draft } from "./draft.ts";
import { showDraft } from "./message.ts";
import type { Talk } from "../context/chat-context.ts";
import { post } from "../messages/post.ts";

/** Does something with a draft; what is wrong with it is told in the draft, which stays as it was. */
export async function inDraft(talk: Talk, draft: Draft, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    const { code, params } = error;
    await showDraft(talk, { ...draft, problem: { code, params } });
  }
}

/** A clerk that tells people what is wrong with what they sent, in a message of its own. */
export const telling = tellingBy<Visit>((visit, view) => post(visit, addressOf(visit.origin.address), view));
