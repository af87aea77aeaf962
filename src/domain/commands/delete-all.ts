import { z } from "zod";
import { action } from "../../seam/text/actions.ts";
import { everyJob } from "../jobs/every-job.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { Job } from "../jobs/job.ts";
import { button, command, type Context } from "./command.ts";
import { deleteJobs } from "./delete-job.ts";
import { numberFact, stillShown } from "./facts.ts";
import { askedNow, pressedInTime } from "./presses.ts";

/** Asks before deleting everything. */
export const deleteAll = command({
  name: "delete-all",
  label: "command.delete_all",
  description: "command.delete_all.description",
  kind: "command",
  schema: z.strictObject({}),
  async run(context) {
    const { ended: count, goingOn } = await countJobs(context);
    const facts = goingOn > 0 ? [numberFact("delete_all.going_on", goingOn)] : [];
    if (count === 0) return context.reply({ kind: "notice", text: { key: "delete_all.none" }, facts });
    const until = askedNow();
    const actions = [action("delete-all-now", until, "action.delete_all_now", "danger")];
    return context.reply({
      kind: "notice",
      text: { key: "delete_all.ask", params: { count } },
      facts,
      actions,
    });
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
    pressedInTime(until);
    const { deleted: count, kept, shown, failure } = await deleteJobs(context, endedJobs(context));
    if (failure !== undefined && count + kept === 0) throw failure;
    const left = failure === undefined ? 0 : (await countJobs(context)).ended;
    const facts = [
      ...(kept > 0 ? [numberFact("delete.kept", kept)] : []),
      ...(left > 0 ? [numberFact("delete.left", left)] : []),
      ...stillShown(shown),
    ];
    await context.reply({ kind: "notice", text: { key: "delete.done", params: { count } }, facts });
  },
  { traits: { confirmed: true } },
);

async function countJobs({ ledger, origin: { user } }: Pick<Context, "ledger" | "origin">) {
  const goingOn = await ledger.count({ user, goingOn: true });
  return { goingOn, ended: (await ledger.count({ user })) - goingOn };
}

/** What somebody made that has come to its end, newest first. */
export async function* endedJobs({
  ledger,
  origin,
}: Pick<Context, "ledger" | "origin">): AsyncGenerator<Job> {
  for await (const job of everyJob(ledger, origin.user)) if (!isGoingOn(job)) yield job;
}
