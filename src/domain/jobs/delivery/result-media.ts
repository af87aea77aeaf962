import type { Accounts } from "../../accounts/accounts.ts";
import type { ResultMedia } from "../../../infrastructure/media/files/result-media.ts";
import { checkFilm } from "../../../infrastructure/media/whole/film.ts";
import { wholeFile } from "../../../infrastructure/media/whole/whole-file.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Job } from "../job.ts";

/**
 * The files of a finished job, each opened at the service when it is wanted. Every surface gets them here, so that none
 * shows what is no result: a 200 may come with a page, with nothing, or with a part.
 */
export function mediaOf(job: Job, accounts: Accounts): readonly ResultMedia[] {
  const { result: kind } = operationOf(job.operation);
  return (job.result ?? []).map((url, index) => ({
    kind,
    name: `${job.operation}-${job.id}${index > 0 ? `-${index + 1}` : ""}`,
    open: async (signal) => {
      const account = await accounts.of(job);
      return wholeFile(await account.api().download(url, { signal }), kind);
    },
    check: checkFilm,
  }));
}
