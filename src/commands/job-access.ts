import type { JobAccess } from "../chat/jobs.ts";
import type { Origin } from "../chat/surface.ts";
import type { UserId } from "../chat/values.ts";
import { ReelayError } from "../errors.ts";
import { isOpen, type Job } from "../jobs/job.ts";
import { recordOf } from "../jobs/job-record.ts";
import { checkValues, problemsOf } from "../operations/fields.ts";
import { operationOf } from "../operations/registry.ts";
import { cancelJob } from "./cancel-job.ts";
import type { Asking, CommandParts } from "./command.ts";
import { deleteJob } from "./delete-job.ts";
import { accept } from "./generate.ts";

/** Jobs for programs. */
export function makeJobAccess(parts: CommandParts, askingOf: (origin: Origin) => Asking): JobAccess {
  const { ledger, sumUsage } = parts;

  async function own(user: UserId, id: string): Promise<Job> {
    const job = await ledger.find(id);
    if (job?.user !== user) throw new ReelayError("not_found");
    return job;
  }

  return {
    check: (operation, values) => problemsOf(operationOf(operation).schema, values),

    async submit(origin, name, values) {
      const operation = operationOf(name);
      const accepted = await accept(askingOf(origin), operation, checkValues(operation.schema, values));
      if ("statement" in accepted)
        throw new ReelayError("statement_missing", { statement: accepted.statement });
      return recordOf(accepted);
    },

    find: async (user, id) => recordOf(await own(user, id)),
    list: async (user, query) => (await ledger.ofUser(user, query)).map(recordOf),
    note: (id, receipt) => ledger.keepReceipt(id, receipt),

    async remove(user, id) {
      const job = await own(user, id);
      if (job.state === "queued") {
        await cancelJob(ledger, job);
        return "cancelled";
      }
      if (isOpen(job.state)) throw new ReelayError("job_busy");
      return (await deleteJob(parts, job)) ? "deleted" : "kept";
    },

    usage: (user, query) => sumUsage({ ...query, user }),
  };
}
