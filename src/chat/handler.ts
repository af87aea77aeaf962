import { ReelayError } from "../errors.ts";
import { refusalView } from "./refusal.ts";
import type { NoticeView, ProblemView } from "./views.ts";

/**
 * Deals with what somebody did, or leaves it to the next clerk.
 * @returns whether it was dealt with
 */
export type ClerkFor<Visit> = (visit: Visit) => Promise<boolean>;

/** Hands what somebody did from clerk to clerk until one deals with it. */
export async function attend<Visit>(visit: Visit, clerks: readonly ClerkFor<Visit>[]): Promise<boolean> {
  for (const clerk of clerks) if (await clerk(visit)) return true;
  return false;
}

/** Clerks who tell people what is wrong with what they asked for. */
export function tellingBy<Visit>(tell: (visit: Visit, view: NoticeView | ProblemView) => Promise<unknown>) {
  return (clerk: ClerkFor<Visit>): ClerkFor<Visit> =>
    async (visit) => {
      try {
        return await clerk(visit);
      } catch (error) {
        if (!(error instanceof ReelayError)) throw error;
        await tell(visit, refusalView(error));
        return true;
      }
    };
}
