import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { CommandSpec } from "../../seam/fields.ts";
import type { JobAccess } from "../../seam/access/jobs.ts";
import type { JobRecord } from "../../seam/access/job-record.ts";
import type { Origin } from "../../seam/origin.ts";
import type { StatementName, UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { sleep } from "../../common/time.ts";
import { isKeyRefused } from "../accounts/refused.ts";
import { isOpen, type Job } from "../jobs/job.ts";
import { recordOf } from "../jobs/job-record.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import { aheadOf } from "../jobs/listing.ts";
import { checkValues, fieldsOf, problemsOf } from "../operations/fields.ts";
import { operationOf } from "../operations/registry.ts";
import { cancelJob } from "../commands/cancel-job.ts";
import type { CommandRequest, CommandParts } from "../commands/command.ts";
import { deleteJob } from "../commands/own-data/delete-job.ts";
import { accept, warn } from "../commands/generate.ts";
import { makeUserAccess } from "../commands/own-data/user-access.ts";
import { outlooksOf } from "./outlooks.ts";

/** How often it is looked whether a job's end has been told, in milliseconds, and how many times: about two seconds together. */
const TOLD = { everyMs: 20, looks: 100 } as const;

/**
 * Jobs for programs.
 * @param commands what is offered on their platform
 */
export function makeJobAccess(
  parts: CommandParts,
  commands: readonly CommandSpec[],
  askingOf: (origin: Origin) => CommandRequest,
): JobAccess {
  const { experience, ledger, policy, sumUsage } = parts;

  async function own(user: UserId, id: string): Promise<Job> {
    const job = await ledger.find(id);
    if (job?.user !== user) throw new ReelayError("not_found");
    return job;
  }

  /** A job that is shown as failed while that is being told, once it was told; as it is where that takes longer. */
  async function told(job: Job): Promise<Job> {
    let now = job;
    for (
      let look = 0;
      look < TOLD.looks && now.state === "failed" && now.delivery === "delivering";
      look += 1
    ) {
      await sleep(TOLD.everyMs);
      now = await own(job.user, job.id);
    }
    return now;
  }

  /** Jobs of one person as they are now. */
  async function shown(jobs: readonly Job[]): Promise<readonly JobRecord[]> {
    const outlookOf = await outlooksOf({ experience, ahead: (...asked) => ledger.ahead(...asked) }, jobs);
    return jobs.map((job) => recordOf(job, outlookOf(job)));
  }

  /** @param within the transaction that writes it, where it is not written yet */
  async function one(job: Job, within?: Pick<Database, "kysely">): Promise<JobRecord> {
    const ahead: typeof ledger.ahead = (...asked) =>
      within ? aheadOf(within, ...asked) : ledger.ahead(...asked);
    return recordOf(job, (await outlooksOf({ experience, ahead }, [job]))(job));
  }

  function missing(statement: StatementName): ReelayError {
    const terms = statement === "terms" ? policy.termsUrl : undefined;
    return new ReelayError("statement_missing", { statement, ...(terms !== undefined && { terms }) });
  }

  return {
    operation(name) {
      const spec = commands.find(({ kind, name: offered }) => kind === "operation" && offered === name);
      if (spec) return spec;
      throw new ReelayError("operation_off", { operation: operationOf(name).id });
    },

    check: (operation, values) => problemsOf(operationOf(operation).schema, values),

    async submit(origin, name, values, alongside, warned) {
      const operation = operationOf(name);
      await parts.keys.refuseKnown({ address: origin.address, tags: { ...origin.tags } });
      const found = await parts.keys.findIn(origin, fieldsOf(operation.schema), values);
      if (found) throw new ReelayError("key_in_words", { field: found.field });
      const checked = checkValues(operation.schema, values);
      let written: JobRecord | undefined;
      const accepted = await accept(askingOf(origin), operation, checked, async (transaction, job) => {
        if (!alongside) return {};
        written = await one(job, transaction);
        return alongside(written, memory(transaction, origin.platform), transaction);
      });
      if ("statement" in accepted) throw missing(accepted.statement);
      await warn(parts, accepted.warnings, async (budget) => warned?.(budget));
      const { job } = accepted;
      // Another one where the same request made one before.
      return written?.id === job.id ? { ...written, receipt: job.receipt } : one(job);
    },

    find: async (user, id) => one(await own(user, id)),
    list: async (user, query) => shown(await ledger.ofUser(user, query)),

    async cancel(user, id) {
      const { state } = await own(user, id);
      if (isOpen(state)) await cancelJob(ledger, { id });
      return recordOf(await own(user, id));
    },

    async remove(user, id, where) {
      const job = await told(await own(user, id));
      // Also one that was taken out a moment ago: whoever waits for it has not been told yet.
      if (job.state === "queued" || (job.state === "cancelled" && isGoingOn(job))) {
        await cancelJob(ledger, job);
        return "cancelled";
      }
      // One whose file is late, or that cannot be told now, may go.
      if (isOpen(job.state) || job.delivery === "delivering") throw new ReelayError("job_busy");
      try {
        return (await deleteJob(parts, job, where)).isKept ? "kept" : "deleted";
      } catch (error) {
        throw isKeyRefused(error) ? new ReelayError("deletion_needs_key", {}, { cause: error }) : error;
      }
    },

    budgets: (user, username) => parts.partnerBudgets(user, username),
    left: (user) => parts.partnerLeft(user),
    usage: (user, query) => sumUsage({ ...query, user }),
    users: makeUserAccess(parts),
  };
}
