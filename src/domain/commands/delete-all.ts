import { z } from "zod";
import { action } from "../../seam/text/actions.ts";
import { ReelayError } from "../../common/errors.ts";
import { everyJob } from "../jobs/every-job.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { Job } from "../jobs/job.ts";
import { button, command, type Context } from "./command.ts";
import { deleteJob } from "./delete-job.ts";
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
    const { ledger, origin } = context;
    const all = await ledger.count({ user: origin.user });
    const count = all - (await ledger.count({ user: origin.user, goingOn: true }));
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
    let count = 0;
    let kept = 0;
    for await (const job of endedJobs(context)) {
      if (await deleteJob(context, job)) count += 1;
      else kept += 1;
    }
    const facts = kept > 0 ? [numberFact("delete.kept", kept)] : [];
    await context.reply({ kind: "notice", text: { key: "delete.done", params: { count } }, facts });
  },
  { traits: { confirmed: true } },
);

/** What somebody made that has come to its end, newest first. */
export async function* endedJobs({
  ledger,
  origin,
}: Pick<Context, "ledger" | "origin">): AsyncGenerator<Job> {
  for await (const job of everyJob(ledger, origin.user)) if (!isGoingOn(job)) yield job;
}
