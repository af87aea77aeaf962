import type { OpenedChat } from "../../seam/surface/surface.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import { IllegalTransition, type Job, type Transition } from "./job.ts";
import type { Ledger } from "./ledger.ts";

/** Has the jobs of a user, or of a group, that wait for a key tried at once, in whichever process. */
export async function wake(
  ledger: Ledger,
  payer: { readonly user: UserId } | { readonly chat: ChatId },
): Promise<void> {
  await applyToAll(ledger, await ledger.waitingForKey(payer), { type: "woken" });
}

/** Has what could not be posted in a chat delivered anew, in this process. */
export async function redeliverUnreached(ledger: Ledger, chat: OpenedChat): Promise<void> {
  await applyToAll(ledger, await ledger.unreached(chat), { type: "redeliver" });
}

async function applyToAll(ledger: Ledger, jobs: readonly Job[], event: Transition): Promise<void> {
  for (const job of jobs)
    await ledger.apply(job, event).catch((error: unknown) => {
      // It goes on already.
      if (!(error instanceof IllegalTransition)) throw error;
    });
}
