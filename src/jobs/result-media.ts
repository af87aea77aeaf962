import type { Accounts } from "../accounts/accounts.ts";
import type { ResultMedia } from "../chat/views.ts";
import { operationOf } from "../operations/registry.ts";
import type { Job } from "./job.ts";

/** The files of a finished job, each opened at the service when it is wanted. */
export function mediaOf(job: Job, accounts: Accounts): readonly ResultMedia[] {
  const { result: kind } = operationOf(job.operation);
  return (job.result ?? []).map((url, index) => ({
    kind,
    name: `${job.operation}-${job.id}${index > 0 ? `-${index + 1}` : ""}`,
    open: async (signal) => {
      const account = await accounts.of(job);
      return account.api().download(url, { signal });
    },
  }));
}
