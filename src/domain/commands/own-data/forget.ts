import { action } from "../../../seam/text/actions.ts";
import { forgottenNotice } from "../../../seam/text/notices.ts";
import { ReelayError } from "../../../common/errors.ts";
import type { MessageKey } from "../../../common/i18n.ts";
import { button, type Command, command, type Context, pressableSchema } from "../command.ts";
import { endedJobs, tellDeleting } from "./delete-all.ts";
import { deleteJobs } from "./delete-job.ts";
import type { Fact } from "../../../seam/views.ts";
import { platformOf } from "../../../seam/values.ts";
import { numberFact, staysInChat, stillShown } from "../facts.ts";
import { forgetPerson } from "./forget-person.ts";
import { askedNow, pressedInTime } from "../presses.ts";

/** Erases everything that Reelay keeps about a person, after asking. */
export const forget = command({
  name: "forget",
  label: "command.forget",
  description: "command.forget.description",
  kind: "command",
  traits: { topic: "privacy" },
  forEverybody: true,
  schema: pressableSchema,
  run: ask,
});

async function ask(context: Context): Promise<void> {
  await refuseWhileGoingOn(context);
  const { ledger, origin } = context;
  const there = await ledger.count({ user: origin.user, atService: true });
  const unread = await countUnread(context);
  const asked = `${askedNow()}${SAID}${unread}`;
  const actions = [
    action("forget-now", asked, "action.forget_now", "danger"),
    ...(there > 0 ? [action("forget-all", asked, "action.forget_all", "danger")] : []),
  ];
  const facts = [
    numberFact("privacy.jobs_there", there),
    ...(unread > 0 ? [numberFact("forget.unread", unread)] : []),
  ];
  await context.reply({ kind: "notice", text: { key: "forget.ask" }, facts, actions });
}

/** So many jobs are not erased within a second or two. */
const MANY = 200;

/** What stands between the time of a question and how many jobs it said that it gives up. */
const SAID = "-";

/** Jobs that wait for a key: nobody waits for them to be forgotten. */
const countUnread = async ({ ledger, origin: { user } }: Context) =>
  (await ledger.waitingForKey({ user })).length;

/** Erases it here. What was made stays in the account at the service. */
export const forgetNow = forgetButton("forget-now", "action.forget_now", async (context) => {
  await tellErasing(context);
  return [];
});

/** Erases it here, and what was made also at the service, as far as that can be done. */
export const forgetAll = forgetButton("forget-all", "action.forget_all", async (context) => {
  const { deleted, left } = await deleteThere(context);
  return [numberFact("forget.deleted", deleted), ...(left > 0 ? [numberFact("forget.left", left)] : [])];
});

/** @param first what is done before everything is erased; says what came of it */
function forgetButton(
  name: string,
  label: MessageKey,
  first: (context: Context) => Promise<readonly Fact[]>,
): Command {
  const press = async (context: Context, asked: string) => {
    const { audit, blocks, origin, reply } = context;
    const [until = "", said = "0"] = asked.split(SAID);
    pressedInTime(until, origin);
    await refuseWhileGoingOn(context);
    // A refusal since then may pass: what is paid for is given up only where that was said.
    if (!((await countUnread(context)) <= Number(said))) return ask(context);
    if (await hasMadeSince(context)) return ask(context);
    const facts = await first(context);
    const shown = await forgetPerson(context, origin);
    await audit.write({ act: "forget", surface: origin.platform, rule: name });
    const blocked = await blocks.isNoted(origin.user);
    await reply(
      forgottenNotice(blocked ? "block" : "nothing", [
        ...facts,
        ...stillShown(shown),
        ...staysInChat(context, platformOf(origin.user)),
      ]),
    );
  };
  return button(name, label, press, { forEverybody: true, traits: { confirmed: true, forGood: true } });
}

/** Whether they made something after they pressed, while nobody carried that out: it is not to go without a word. */
async function hasMadeSince({ ledger, origin: { user, pressedAt } }: Context): Promise<boolean> {
  if (pressedAt === undefined) return false;
  const [newest] = await ledger.ofUser(user, { limit: 1 });
  return newest !== undefined && newest.createdAt > pressedAt;
}

/** Deletes somebody's jobs at the service; those that cannot be deleted there are left to be erased here. */
async function deleteThere(context: Context): Promise<{ readonly deleted: number; readonly left: number }> {
  const { ledger, origin } = context;
  const jobs = () => ledger.count({ user: origin.user, atService: true });
  const count = await jobs();
  if (!(await tellDeleting(context, count))) await tellErasing(context);
  const { deleted } = await deleteJobs(context, endedThere(context));
  return { deleted, left: count - deleted };
}

/** Says at once that it is under way, where somebody would wait for it. */
async function tellErasing({ ledger, origin, reply }: Context): Promise<void> {
  if ((await ledger.count({ user: origin.user })) >= MANY)
    await reply({ kind: "notice", text: { key: "forget.erasing" } });
}

async function* endedThere(context: Context) {
  for await (const job of endedJobs(context)) if (job.serviceId !== null) yield job;
}

/** What is paid for and not delivered yet must not be lost. */
async function refuseWhileGoingOn({ ledger, origin }: Pick<Context, "ledger" | "origin">): Promise<void> {
  const count = await ledger.count({ user: origin.user, unseen: true });
  if (count > 0) throw new ReelayError("jobs_open", { count });
}
