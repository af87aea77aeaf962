import type { Memory } from "../../../src/common/memory.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { contextOf } from "../../kit/pipeline/context.ts";
import type { Draft } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { ReplyContext, Services } from "../context/context.ts";
import { ifReached } from "../context/reach.ts";
import { Reply } from "../context/replies.ts";
import { DISCORD } from "../api/limits.ts";
import { isPublic } from "../messages/posted.ts";

const TOLD = "draft-told:";

const keyOf = ({ owner, id }: Pick<Draft, "owner" | "id">) => `${TOLD}${owner}:${id}`;

/** Where it was said that a draft waits for a key, and to whom: an interaction is known no more by then. */
interface Told {
  readonly at: DiscordReceipt;
  readonly origin: Omit<ReplyContext["origin"], "request" | "agreed">;
}

/**
 * Remembers where a draft waits for its owner's key, for as long as an interaction lets that be changed (15 minutes,
 * interactions/receiving-and-responding); then it goes on with its own button.
 */
export async function noteWaiting(
  { memory, origin }: Pick<ReplyContext, "memory" | "origin">,
  draft: Draft,
  at: DiscordReceipt,
): Promise<void> {
  const { request: _, agreed: _agreed, ...asker } = origin;
  await memory.set(keyOf(draft), { at, origin: asker } satisfies Told, DISCORD.tokenMs);
  await new DraftStore(memory).noteKeyless(draft, true);
}

/** Forgets that a draft waits for a key: it goes on. */
export const noteGoing = ({ memory }: Pick<ReplyContext, "memory">, draft: Draft) =>
  new DraftStore(memory).noteKeyless(draft, false);

/** Does something with each draft that waits for somebody's key, in the message that says so, where that can still be changed. */
export async function eachWaiting(
  services: Services,
  user: UserId,
  goOn: (context: ReplyContext, draft: Draft) => Promise<void>,
): Promise<void> {
  const { api, memory } = services;
  for (const draft of await new DraftStore(memory).keyless(user)) {
    const told = await memory.get<Told>(keyOf(draft));
    if (!told) continue;
    const { at, origin } = told;
    const parts = { api, address: at, changes: false, keeps: false, stage: "told" } as const;
    const reply = new Reply({ ...parts, isPublic: isPublic(at) });
    const context = { ...contextOf(services, origin, at.locale), address: at, reply, shown: at };
    await ifReached(() => goOn(context, draft));
  }
}

/** Where drafts wait, as what is kept of people: it is soon forgotten anyway. */
export const waitingIn = (memory: Memory) => ({
  async forget(owner: UserId): Promise<void> {
    for (const [key] of await memory.entries())
      if (key.startsWith(`${TOLD}${owner}:`)) await memory.delete(key);
  },
  expire: async () => {},
});
