import { randomInt } from "node:crypto";
import { action, CONNECT_KEY, parsePriced } from "../../../seam/text/actions.ts";
import { deletedNotice } from "../../../seam/text/notices.ts";
import type { CommandTraits } from "../../../seam/fields.ts";
import type { Values } from "../../../seam/values.ts";
import type { Action, Form } from "../../../seam/views.ts";
import { ReelayError } from "../../../common/errors.ts";
import type { MessageKey } from "../../../common/i18n.ts";
import { isKeyRefused } from "../../accounts/refused.ts";
import { isOpen, type Job } from "../../jobs/job.ts";
import { againAction, isGoingOn, newSeedAction } from "../../jobs/job-view.ts";
import { carryOver } from "../../operations/carry-over.ts";
import { fieldsOf } from "../../operations/fields.ts";
import type { Operation } from "../../operations/operation.ts";
import { operationOf } from "../../operations/registry.ts";
import { cancelJob } from "../cancel-job.ts";
import { button, type Command, type Context, ownJob } from "../command.ts";
import { type Deletion, deleteJob, keylessAmong, removalOf } from "../own-data/delete-job.ts";
import { jobFact, staysInChat, stillShown } from "../facts.ts";
import { tellDetails } from "./job-details.ts";
import { generate } from "../generate.ts";
import { orPressAgain } from "../presses.ts";

/** Seeds fit in 31 bits everywhere; the contract only says that they are not negative (section 4.3). */
const SEED_END = 2 ** 31;

/** A button under a job that makes or shows the same again: not what was taken down. */
export const renewButton: typeof jobButton = (name, label, press, traits) =>
  jobButton(
    name,
    label,
    async (context, job) => {
      await refuseWithheld(context, job);
      await press(context, job);
    },
    traits,
  );

async function refuseWithheld({ reports }: Pick<Context, "reports">, { id }: Job): Promise<void> {
  if (await reports.isWithheld(id)) throw new ReelayError("result_withheld");
}

/** A button under a job. */
function jobButton(
  name: string,
  label: MessageKey,
  press: (context: Context, job: Job) => Promise<void>,
  traits: CommandTraits = {},
): Command {
  return button(name, label, async (context, of) => press(context, await ownJob(context, of)), { traits });
}

/**
 * A button that makes something like a job once more, for no more than it says.
 * @param at the same button, with a price that may be another
 */
const spendingButton = (
  name: string,
  label: MessageKey,
  valuesOf: (job: Job) => Values,
  at: (job: Job, price: number | null) => Action,
) =>
  button(name, label, async (context, arg) => {
    const { of, price } = parsePriced(arg);
    const job = await ownJob(context, of);
    await refuseWithheld(context, job);
    const origin = { ...context.origin, press: `${name}:${of}`, ...(price !== undefined && { price }) };
    await orPressAgain(
      context,
      price ?? null,
      (now) => at(job, now),
      () => generate({ ...context, origin }, operationOf(job.operation), valuesOf(job)),
      [jobFact(job)],
    );
  });

/** The same once more: same picture, same choices. */
export const again = spendingButton(
  "again",
  "action.again",
  (job) => job.values,
  (job, price) => againAction(job, price, "primary"),
);

/** The same with another seed. */
export const newSeed = spendingButton(
  "new-seed",
  "action.new_seed",
  (job) => ({ ...job.values, seed: randomInt(SEED_END) }),
  newSeedAction,
);

/** How it was made. */
export const details = jobButton("details", "action.details", tellDetails);

const ASKING: CommandTraits = { asks: "form" };

/** The same choices to start from, in a form. */
export const change = renewButton(
  "change",
  "action.change",
  ({ ask }, job) => ask(formOf(operationOf(job.operation), job.values)),
  { ...ASKING, takesWords: true },
);

/** What can be used of it for another operation, in that one's form: its own product rests. */
export const instead = jobButton(
  "instead",
  "action.instead",
  ({ ask }, job) => {
    const from = operationOf(job.operation);
    const to = operationOf(from.instead);
    return ask(formOf(to, carryOver(job.values, from, to)));
  },
  ASKING,
);

/** An operation, with what is filled in already. */
export function formOf({ id, schema }: Operation, values: Values): Form {
  return {
    id,
    title: { key: "form.change" },
    fields: fieldsOf(schema),
    values,
    submit: { key: "form.generate" },
  };
}

/** Takes a job out of the queue; nothing has been charged yet. */
export const cancel = jobButton(
  "cancel",
  "action.cancel",
  async ({ ledger, reply }, job) => {
    // Pressed on what was posted of it without anybody hearing of that, and tells nothing new.
    if (job.state === "completed" || job.state === "failed")
      return reply({ kind: "notice", text: { key: "job.over" } });
    await cancelJob(ledger, job);
    // Where this process works on the job, its own message tells so, of what was not cancelled before.
    const isTold = job.state !== "cancelled" && (await ledger.isMine(job.id));
    if (!isTold) await reply({ kind: "notice", text: { key: "job.cancelled" } });
  },
  { brief: true },
);

/** Asks before deleting: what is gone at the service cannot be brought back. */
export const askDelete = jobButton(
  "delete",
  "action.delete",
  async (context, job) => {
    await refuseWhileOpen(context, job);
    if (await keylessAmong(context, false)(job)) return tellKeyless(context, job);
    const actions = [action("delete-now", job.id, "action.delete_now", "danger")];
    return context.reply({ kind: "notice", text: { key: questionFor(job) }, actions });
  },
  { confirms: "delete-now" },
);

/** The question says what a deletion would do: not everything is at the service, and some of it stays there. */
function questionFor(job: Job): MessageKey {
  if (job.serviceId === null) return "delete.ask_here";
  return removalOf(job) === null ? "delete.ask_kept" : "delete.ask";
}

/**
 * A button that deletes a job. What is gone is what was wanted: it is pressed twice, or once more after a process that was killed
 * before it said so.
 */
const deletingButton = (
  name: string,
  label: MessageKey,
  press: (context: Context, job: Job) => Promise<void>,
) =>
  button(
    name,
    label,
    async (context, of) => {
      if (!(await context.ledger.find(of))) return context.reply(deletedNotice());
      const job = await ownJob(context, of);
      await refuseWhileOpen(context, job);
      await press(context, job);
    },
    { traits: { forGood: true } },
  );

/** Deletes a job at the service and here; where the key that takes is missing, it can go here alone. */
export const deleteNow = deletingButton("delete-now", "action.delete", async (context, job) => {
  try {
    await tellDeleted(context, job, await deleteJob(context, job), "delete.here");
  } catch (error) {
    if (!isKeyRefused(error)) throw error;
    await tellKeyless(context, job);
  }
});

/** What can be done with a job whose key is missing. */
function tellKeyless({ reply }: Context, { id }: Job): Promise<void> {
  const actions = [action("delete-here", id, "action.delete_here", "danger"), CONNECT_KEY];
  return reply({ kind: "notice", text: { key: "delete.no_key" }, actions });
}

/** Deletes a job here alone: what is at the service stays there. */
export const deleteHere = deletingButton("delete-here", "action.delete_here", async (context, job) => {
  await tellDeleted(context, job, await deleteJob(context, job, "here"), "delete.here_only");
});

/** @param kept what is said where it is still at the service */
async function tellDeleted(
  context: Context,
  { surface }: Job,
  { wasThere, isKept, shown }: Deletion,
  kept: "delete.here" | "delete.here_only",
): Promise<void> {
  const done = { key: "delete.done", params: { count: 1 } } as const;
  const text = !wasThere ? ({ key: "job.deleted" } as const) : isKept ? { key: kept } : done;
  const facts = [...stillShown(shown), ...staysInChat(context, surface)];
  await context.reply({ kind: "notice", text, facts });
}

/** One that is only being delivered may go: its result can be seen already. One that is being taken down may not yet. */
async function refuseWhileOpen({ reports }: Pick<Context, "reports">, job: Job): Promise<void> {
  const isComingDown = isGoingOn(job) && (await reports.isWithheld(job.id));
  if (isOpen(job.state) || isComingDown) throw new ReelayError("job_busy");
}
