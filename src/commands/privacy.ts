import { z } from "zod";
import { action } from "../chat/actions.ts";
import { ReelayError } from "../errors.ts";
import { isGoingOn } from "../jobs/job-view.ts";
import type { StatementName } from "../chat/values.ts";
import { buttonSchema, command, type Context } from "./command.ts";
import type { Fact } from "./facts.ts";
import { forgetQuestions } from "./statements.ts";

/** How long the question stands, in milliseconds. */
const QUESTION_MS = 5 * 60_000;

/** What is kept about a person. */
export const privacy = command({
  name: "privacy",
  label: "command.privacy",
  description: "command.privacy.description",
  kind: "command",
  schema: z.strictObject({}),
  async run(context) {
    const { vault, people, ledger, origin } = context;
    const { declared = {} } = await people.of(origin.user);
    const key = (await vault.get(origin.user)) ? "privacy.key_stored" : "privacy.key_none";
    const statements = Object.entries(declared).map(([name, { at }]): Fact => ({
      label: `privacy.statement.${name as StatementName}`,
      value: { key: "fact.date", params: { at } },
    }));
    const facts: Fact[] = [
      { label: "privacy.key", value: { key } },
      {
        label: "privacy.jobs",
        value: { key: "fact.number", params: { count: await ledger.count({ user: origin.user }) } },
      },
      ...statements,
    ];
    await context.reply({ kind: "notice", text: { key: "privacy.text" }, facts });
  },
});

/** Erases everything that Reelay keeps about a person, after asking. */
export const forget = command({
  name: "forget",
  label: "command.forget",
  description: "command.forget.description",
  kind: "command",
  schema: z.strictObject({}),
  async run(context) {
    await refuseWhileGoingOn(context);
    const actions = [action("forget-now", String(Date.now() + QUESTION_MS), "action.forget_now", "danger")];
    await context.reply({ kind: "notice", text: { key: "forget.ask" }, actions });
  },
});

/** Does it. What was made stays in the account at the service until it is deleted there. */
export const forgetNow = command({
  name: "forget-now",
  label: "action.forget_now",
  description: "action.forget_now",
  kind: "button",
  schema: buttonSchema,
  async run(context, { of: until }) {
    const { vault, people, ledger, surfaces, origin } = context;
    if (Date.now() > Number(until)) throw new ReelayError("stale_button");
    await refuseWhileGoingOn(context);
    await ledger.forget(origin.user);
    await vault.remove(origin.user);
    await people.forget(origin.user);
    await forgetQuestions(context, origin.user);
    await surfaces.of(origin.platform).forget(origin.user);
    await context.reply({ kind: "notice", text: { key: "forget.done" } });
  },
});

/** What is paid for and not delivered yet must not be lost. */
async function refuseWhileGoingOn({ ledger, origin }: Context): Promise<void> {
  const open = (await ledger.ofUser(origin.user, { limit: 200 })).filter(isGoingOn);
  if (open.length > 0) throw new ReelayError("jobs_open", { count: open.length });
}
