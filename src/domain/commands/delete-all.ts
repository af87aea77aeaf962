import { z } from "zod";
import { action } from "../../seam/text/actions.ts";
import { ReelayError } from "../../common/errors.ts";
import { everyJob } from "../jobs/every-job.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { Job } from "../jobs/job.ts";
import { button, command, type Context } from "./command.ts";
import { deleteJobs } from "./delete-job.ts";
import { numberFact } from "./facts.ts";

/** How long the question stands, in milliseconds: an old button must not destroy what came after it. */
const QUESTION_MS = 5 * 60_000;

/** Asks before deleting everything. */
export const deleteAll = command({
  name: "delete-all",
  label: "command.delete_all",
  description: "command.delete_all.description",
  kind: "command",
  schema: z.strictObject({}),
  async run(context) {
    const count = await countEnded(context);
    if (count === 0) return context.reply({ kind: "notice", text: { key: "delete_all.none" } });
    const until = String(Date.now() + QUESTION_MS);
    const actions = [action("delete-all-now", until, "action.delete_all_now", "danger")];
    return context.reply({ kind: "notice", text: { key: "delete_all.ask", params: { count } }, actions });
  },
});

/**
 * Deletes every job of a person, one by one: the service's own "delete all" would also delete what other
 * people made under a shared key, and what the person made elsewhere.
 */
export const deleteAllNow = button(
  "delete-all-now",
  "action.delete_all_now",
  async (context, until) => {
    if (Date.now() > Number(until)) throw new ReelayError("stale_button");
    const { deleted: count, kept, failure } = await deleteJobs(context, endedJobs(context));
    if (failure !== undefined && count + kept === 0) throw failure;
    const left = failure === undefined ? 0 : await countEnded(context);
    const facts = [
      ...(kept > 0 ? [numberFact("delete.kept", kept)] : []),
      ...(left > 0 ? [numberFact("delete.left", left)] : []),
    ];
    await context.reply({ kind: "notice", text: { key: "delete.done", params: { count } }, facts });
  },
  { traits: { confirmed: true } },
);

async function countEnded({ ledger, origin }: Pick<Context, "ledger" | "origin">): Promise<number> {
  const { user } = origin;
  return (await ledger.count({ user })) - (await ledger.count({ user, goingOn: true }));
}

/** What somebody made that has come to its end, newest first. */
export async function* endedJobs({
  ledger,
  origin,
}: Pick<Context, "ledger" | "origin">): AsyncGenerator<Job> {
  for await (const job of everyJob(ledger, origin.user)) if (!isGoingOn(job)) yield job;
}
