import type { ChatId, UserId } from "../../seam/values.ts";
import { IllegalTransition } from "./job.ts";
import type { Ledger } from "./ledger.ts";

/** Has the jobs of a user, or of a group, that wait for a key tried at once, in whichever process. */
export async function wake(
  ledger: Ledger,
  payer: { readonly user: UserId } | { readonly chat: ChatId },
): Promise<void> {
  for (const job of await ledger.waitingForKey(payer))
    await ledger.apply(job, { type: "woken" }).catch((error: unknown) => {
      // It goes on already.
      if (!(error instanceof IllegalTransition)) throw error;
    });
}
