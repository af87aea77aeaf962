import { action } from "../../seam/text/actions.ts";
import type { UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Job } from "../jobs/job.ts";
import { resultView } from "../jobs/job-view.ts";
import { mediaOf } from "../jobs/delivery/result-media.ts";
import { mayModerate } from "../accounts/subjects.ts";
import { canBeReported, type Measure, type Report } from "../reports/report.ts";
import { reportCard, reportItem, stateOf } from "../reports/report-view.ts";
import { button, type Command, command, type Context, pressableSchema } from "./command.ts";

/** Results on one page. */
const PAGE = 8;

/** A button under a reported result, for those who may decide about it. */
function operatorButton(
  name: string,
  label: MessageKey,
  press: (context: Context, of: string) => Promise<void>,
): Command {
  return button(name, label, async (context, of) => {
    refuseOthers(context);
    await press(context, of);
  });
}

const measure = (name: Measure) =>
  operatorButton(name, `action.${name}`, async (context, of) => {
    const { report, changed } = await context.reports.decide(of, name, context.origin);
    await answer(context, report, changed);
    await context.copies.replace(of, { kind: "notice", text: stateOf(report) }, "operators");
  });

/** Takes a result down. */
export const withhold = measure("withhold");

/** Puts it back. */
export const restore = measure("restore");

/** Leaves it as it is: reports take it down no more. */
export const settle = measure("settle");

/** Shows a result where that was pressed: covered, with none of its owner's buttons. */
export const review = operatorButton("review", "action.review", async (context, of) => {
  const job = await jobOf(context, of);
  const view = resultView(job, mediaOf(job, context.accounts), {
    tellsBalance: false,
    spoiler: true,
    price: null,
  });
  const { platform, address } = context.origin;
  await context.copies.show(job, { ...view, actions: [] }, { platform, address }, "operators");
});

/** Keeps out whoever asked for a result. */
export const block = operatorButton("block", "action.block", async (context, of) => {
  const { audit, blocks, reportNews, reports, origin } = context;
  const { id, user, operation } = await jobOf(context, of);
  await blocks.add({ subject: user, at: Date.now(), reason: `report ${id}` });
  const who = { user: origin.user, surface: origin.platform };
  await audit.write({ act: "block", ...who, rule: user, job: id, operation });
  await reportNews.renew(user);
  const report = await reports.find(id);
  await (report ? answer(context, report, true) : tellBlocked(context, user));
});

/** Lets somebody in again. */
export const unblock = operatorButton("unblock", "action.unblock", async (context, of) => {
  const { audit, blocks, reportNews, origin } = context;
  const user = of as UserId;
  const lifted = await blocks.lift(user);
  const who = { user: origin.user, surface: origin.platform };
  if (lifted) await audit.write({ act: "unblock", ...who, rule: user });
  await reportNews.renew(user);
  await tellBlocked(context, user);
});

/** What was reported and waits for a decision, and what is withheld, page by page. */
export const reports = command({
  name: "reports",
  label: "command.reports",
  description: "command.reports.description",
  kind: "operator",
  schema: pressableSchema,
  async run(context, { of: before }) {
    refuseOthers(context);
    const page = await context.reports.waiting(PAGE + 1, before);
    if (page.length === 0) return context.reply({ kind: "notice", text: { key: "reports.none" } });
    const shown = page.slice(0, PAGE);
    const items = await Promise.all(shown.map(async (one) => reportItem(...(await known(context, one)))));
    const last = shown.at(-1);
    const actions = page.length > PAGE && last ? [action("reports", last.job, "action.older")] : [];
    return context.reply({ kind: "menu", title: { key: "reports.title" }, items, actions });
  },
});

/** @throws ReelayError `not_operator` */
function refuseOthers({ origin, policy }: Pick<Context, "origin" | "policy">): void {
  if (!mayModerate(origin.user, policy.operators)) throw new ReelayError("not_operator");
}

/** @throws ReelayError `stale_button` where it is gone, or was made in private and not withheld by an examination */
async function jobOf({ ledger, reports }: Pick<Context, "ledger" | "reports">, id: string): Promise<Job> {
  const job = await ledger.find(id);
  if (!job || (!canBeReported(job) && !(await reports.find(id)))) throw new ReelayError("stale_button");
  return job;
}

/** A report with all that is said of it. */
async function known(context: Context, report: Report): Promise<Parameters<typeof reportCard>> {
  const job = await jobOf(context, report.job);
  return [report, job, await context.blocks.has({ user: job.user })];
}

/** Says what is so now: in the chat where operators are told, by their notice alone. */
async function answer(context: Context, report: Report, changed: boolean): Promise<void> {
  const { origin, policy, reply, reportNews, surfaces } = context;
  const { chat, user, platform, room } = origin;
  const card = reportCard(...(await known(context, report)));
  const isTold = changed && [chat ?? user, `${platform}:${room}`].includes(policy.reportsTo);
  const notice = isTold ? await reportNews.noticeOf(report.job) : undefined;
  if (notice) return void (await surfaces.of(platform).revise(notice, card));
  if (!isTold || chat === undefined) await reply(card);
}

/** Says whether somebody is kept out: whom the settings name stays so, whatever is pressed. */
async function tellBlocked(
  { blocks, reply }: Pick<Context, "blocks" | "reply">,
  user: UserId,
): Promise<void> {
  const isBlocked = await blocks.has({ user });
  const key = isBlocked ? "report.kept_out" : "report.let_in";
  const actions = isBlocked ? [action("unblock", user, "action.unblock")] : [];
  await reply({ kind: "notice", text: { key, params: { user } }, actions });
}
