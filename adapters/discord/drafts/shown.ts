import type { Memory } from "../../../src/common/memory.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { type Draft, sheetFor } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { ReplyContext } from "../context/context.ts";
import { isOutOfReach } from "../context/reach.ts";
import { meaningOf } from "../api/errors.ts";
import { change, replacing } from "../messages/posted.ts";
import { plain, said } from "../messages/render.ts";

const SHOWN = "draft-shown:";

/** As long as a draft stands, in milliseconds. */
const SHOWN_MS = 7 * 24 * 3_600_000;

const keyOf = ({ owner, id }: Pick<Draft, "owner" | "id">) => `${SHOWN}${owner}:${id}`;

/**
 * Remembers which message shows a draft: in direct messages, where what is said next is for it, and wherever it answers a message, since
 * it may be given up by one.
 */
export async function noteShown(context: ReplyContext, draft: Draft, at: DiscordReceipt): Promise<void> {
  const { memory, address, origin } = context;
  const isOfMessage = address.replyTo !== undefined;
  if (address.inConversation || isOfMessage) await memory.set(keyOf(draft), at, SHOWN_MS);
  if (address.inConversation && draft.operation !== undefined && sheetFor(context, draft).costs)
    await new DraftStore(memory).makeCurrent(origin, draft);
}

/** The ids of somebody's drafts that a channel shows. */
export async function shownOf(memory: Memory, owner: UserId, channel: string): Promise<readonly string[]> {
  const prefix = `${SHOWN}${owner}:`;
  return (await memory.entries<DiscordReceipt>(prefix))
    .filter(([, at]) => at.channel === channel)
    .map(([key]) => key.slice(prefix.length));
}

/** Says in the message of a draft that it is given up, for another one or for good: nothing that is pressed there would do anything. */
export async function closeShown(context: ReplyContext, draft: Draft): Promise<void> {
  const { memory, say, host } = context;
  const at = await memory.get<DiscordReceipt>(keyOf(draft));
  if (!at) return;
  const body = replacing(said(plain(say("job.cancelled"))));
  try {
    await change(context, at, () => body);
  } catch (err) {
    if (!isOutOfReach(err) && meaningOf(err) === undefined) throw err;
    host.log.debug({ err }, "The message of a form that was given up was not changed");
  }
  await memory.delete(keyOf(draft));
}

/** Where drafts are shown, as what is kept of people: it goes with the draft anyway. */
export const shownIn = (memory: Memory) => ({
  async forget(owner: UserId): Promise<void> {
    for (const [key] of await memory.entries())
      if (key.startsWith(`${SHOWN}${owner}:`)) await memory.delete(key);
  },
  expire: async () => {},
});
