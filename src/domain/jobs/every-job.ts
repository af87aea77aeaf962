import type { JobQuery } from "../../seam/access/jobs.ts";
import type { UserId } from "../../seam/values.ts";
import type { Job } from "./job.ts";
import type { Ledger } from "./ledger.ts";

/** Jobs read at once. */
const PAGE = 200;

/** Every job of a person, or those that are sought, newest first; never more than a page of them is in memory. */
export async function* everyJob(
  ledger: Ledger,
  user: UserId,
  sought: Pick<JobQuery, "username"> = {},
): AsyncGenerator<Job> {
  for (let before: string | undefined; ;) {
    const page = await ledger.ofUser(user, { ...sought, before, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    before = page.at(-1)?.id;
  }
}
