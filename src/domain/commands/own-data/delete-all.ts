import { z } from "zod";
import { RATE_LIMITS } from "../../../common/contract.ts";
import { action, CONNECT_KEY } from "../../../seam/text/actions.ts";
import { deletedNotice } from "../../../seam/text/notices.ts";
import type { Action } from "../../../seam/views.ts";
import { everyJob } from "../../jobs/every-job.ts";
import { isGoingOn } from "../../jobs/job-view.ts";
import type { Job } from "../../jobs/job.ts";
import { button, command, type Context } from "../command.ts";
import { deleteJobs, keylessAmong, removalOf } from "./delete-job.ts";
import { platformOf } from "../../../seam/values.ts";
import { numberFact, staysInChat, stillShown } from "../facts.ts";
import { askedNow, pressedInTime } from "../presses.ts";

/** Asks before deleting everything. */
export const deleteAll = command({
  name: "delete-all",
  label: "command.delete_all",
  description: "command.delete_all.description",
  kind: "command",
  schema: z.strictObject({}),
  run: ask,
});

async function ask(context: Context): Promise<void> {
  const { ended: count, goingOn } = await countJobs(context);
  const { keyless, others, there, kept } = await countEnded(context);
  const isAllThere = there === others;
  const facts = [
    ...(!isAllThere && there > 0 ? [numberFact("delete_all.there", there)] : []),
    ...(kept > 0 ? [numberFact("delete_all.kept", kept)] : []),
    ...(keyless > 0 && others > 0 ? [numberFact("delete_all.no_key_some", keyless)] : []),
    ...(goingOn > 0 ? [numberFact("delete_all.going_on", goingOn)] : []),
  ];
  if (count === 0) return context.reply({ kind: "notice", text: { key: "delete_all.none" }, facts });
  if (others === 0)
    return context.reply({
      kind: "notice",
      text: { key: "delete_all.ask_no_key" },
      facts,
      actions: waysWithoutKey(),
    });
  const actions = [action("delete-all-now", askedNow(), "action.delete_all_now", "danger")];
  return context.reply({
    kind: "notice",
    text: { key: isAllThere ? "delete_all.ask" : "delete_all.ask_here", params: { count } },
    facts,
    actions,
  });
}

/** What can be done with jobs whose key is missing. */
function waysWithoutKey(): readonly Action[] {
  return [action("delete-all-here", askedNow(), "action.delete_here", "danger"), CONNECT_KEY];
}

/**
 * Deletes every job of a person, one by one: the service's own "delete all" would also delete what other
 * people made under a shared key, and what the person made elsewhere.
 */
export const deleteAllNow = button(
  "delete-all-now",
  "action.delete_all_now",
  async (context, until) => {
    pressedInTime(until, context.origin);
    await tellDeleting(context, (await countEnded(context)).there);
    const { deleted, here, kept, shown, keyless, failure } = await deleteJobs(context, endedJobs(context));
    const count = deleted + here + kept;
    const isAllThere = deleted === count;
    // Somebody pressed twice, or a process was killed before it said so.
    if (failure === undefined && count === 0) return context.reply(deletedNotice());
    const actions = keyless > 0 ? waysWithoutKey() : [];
    if (failure !== undefined && count === 0) {
      if (keyless === 0) throw failure;
      return context.reply({ kind: "notice", text: { key: "delete_all.ask_no_key" }, actions });
    }
    const left = failure === undefined ? 0 : (await countJobs(context)).ended;
    const facts = [
      ...(!isAllThere && deleted > 0 ? [numberFact("forget.deleted", deleted)] : []),
      ...(kept > 0 ? [numberFact("delete.kept", kept)] : []),
      ...(left > 0 ? [numberFact("delete.left", left)] : []),
      ...stillShown(shown),
      ...staysInChat(context, platformOf(context.origin.user)),
    ];
    const text = { key: isAllThere ? "delete.done" : "delete.done_here", params: { count } } as const;
    return context.reply({ kind: "notice", text, facts, ...(actions.length > 0 && { actions }) });
  },
  { traits: { confirmed: true, forGood: true } },
);

/** Deletes here alone what cannot be deleted at the service for want of its key: the rest stays. */
export const deleteAllHere = button(
  "delete-all-here",
  "action.delete_here",
  async (context, until) => {
    pressedInTime(until, context.origin);
    const { kept: count, shown, failure } = await deleteJobs(context, keylessJobs(context), "here");
    if (failure !== undefined && count === 0) throw failure;
    // Their key has been connected meanwhile: they can be deleted at the service, too.
    if (count === 0) return ask(context);
    const left = (await countJobs(context)).ended;
    const facts = [
      numberFact("delete.only_here", count),
      ...(left > 0 ? [numberFact("delete.left", left)] : []),
      ...stillShown(shown),
      ...staysInChat(context, platformOf(context.origin.user)),
    ];
    return context.reply({ kind: "notice", text: { key: "delete.here_only" }, facts });
  },
  { traits: { confirmed: true, forGood: true } },
);

/**
 * Says that it takes a while where it does: as many as can be deleted within a window do not keep anybody waiting (section 8.1).
 * @param count how many are to be deleted at the service
 * @returns whether it said so
 */
export async function tellDeleting({ reply }: Pick<Context, "reply">, count: number): Promise<boolean> {
  if (count <= RATE_LIMITS.delete) return false;
  await reply({ kind: "notice", text: { key: "delete.begun", params: { count } } });
  return true;
}

/** Those whose key is not there, or is refused. */
async function* keylessJobs(context: Context): AsyncGenerator<Job> {
  const isKeyless = keylessAmong(context, true);
  for await (const job of endedJobs(context)) if (await isKeyless(job)) yield job;
}

/** What a deletion would do with what has ended: not everything is at the service, and some of it stays there. */
async function countEnded(context: Context) {
  const isKeyless = keylessAmong(context, false);
  let [keyless, others, there, kept] = [0, 0, 0, 0];
  for await (const job of endedJobs(context)) {
    if (await isKeyless(job)) {
      keyless += 1;
      continue;
    }
    others += 1;
    if (removalOf(job) !== null) there += 1;
    else if (job.serviceId !== null) kept += 1;
  }
  return { keyless, others, there, kept };
}

async function countJobs({ ledger, origin: { user } }: Pick<Context, "ledger" | "origin">) {
  const goingOn = await ledger.count({ user, goingOn: true });
  return { goingOn, ended: (await ledger.count({ user })) - goingOn };
}

/** What somebody made, before they pressed, that has come to its end, newest first. */
export async function* endedJobs({
  ledger,
  origin,
}: Pick<Context, "ledger" | "origin">): AsyncGenerator<Job> {
  const { pressedAt = Number.POSITIVE_INFINITY } = origin;
  for await (const job of everyJob(ledger, origin.user))
    if (!isGoingOn(job) && job.createdAt <= pressedAt) yield job;
}
