import { reportState } from "../../seam/access/people-desk.ts";
import { action } from "../../seam/text/actions.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import type { Origin } from "../../seam/origin.ts";
import type { MenuItem } from "../../seam/views.ts";
import { ReelayError } from "../../common/errors.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Job } from "../jobs/job.ts";
import { resultView } from "../jobs/job-view.ts";
import { mediaOf } from "../jobs/delivery/result-media.ts";
import { moderatedBy } from "../accounts/subjects.ts";
import {
  canBeReported,
  isFinal,
  isLeftToOperators,
  type Measure,
  OPERATORS,
  type Report,
} from "../reports/report.ts";
import type { ReportOutcome } from "../reports/reports.ts";
import { seenBy } from "../reports/report-seen.ts";
import { person, reportCard, reportItem } from "../reports/report-view.ts";
import { button, type Command, command, type Context, pressableSchema } from "./command.ts";
import { currentTime } from "../../common/time.ts";

/** Results on one page. */
const PAGE = 8;

/** Where somebody decides: in one group, or everywhere. */
type Place = ChatId | undefined;

/** A button under a reported result, for those who may decide about it: asked anew at each press. */
const moderatorButton = (
  name: string,
  label: MessageKey,
  press: (context: Context, of: string, place: Place) => Promise<void>,
): Command =>
  button(name, label, async (context, of) => press(context, of, placeOf(context)), { forModerators: true });

const placeOf = ({ origin, policy }: Pick<Context, "origin" | "policy">): Place =>
  moderatedBy(origin, policy.operators);

const measure = (name: Measure) =>
  moderatorButton(name, `action.${name}`, async (context, of, place) => {
    const { origin } = context;
    const { report, changed } = await decide(context, of, name, origin, place);
    await answer(context, report, changed, place);
    await replaceCopies(context, report);
  });

/**
 * Decides about a result.
 * @param refuse what else may speak against it, in the transaction that writes it
 */
export function decide(
  { reports }: Pick<Context, "reports">,
  of: string,
  name: Measure,
  origin: Pick<Origin, "user" | "platform">,
  place: ChatId | undefined,
  refuse: (before: Report | undefined) => void = () => {},
): Promise<ReportOutcome> {
  return reports.decide(of, name, origin, place === undefined ? "operator" : "moderator", {
    refuse: (job, before) => {
      refusing(place)(job, before);
      refuse(before);
    },
    confirms: (before) => place === undefined && isLeftToOperators(before),
  });
}

/** Has those who looked at a result see what was decided in its place. */
export const replaceCopies = ({ copies }: Pick<Context, "copies">, report: Report): Promise<void> =>
  copies.replace(report.job, { kind: "notice", text: reportState(report) }, "operators");

/** Takes a result down. */
export const withhold = measure("withhold");

/** Puts it back. */
export const restore = measure("restore");

/** Leaves it as it is: reports take it down no more. */
export const settle = measure("settle");

/** Shows a result where that was pressed: covered, with none of its owner's buttons. */
export const review = moderatorButton("review", "action.review", async (context, of, place) => {
  const { accounts, copies, origin, reports } = context;
  const job = await jobIn(context, place, of);
  refusing(place)(job, await reports.find(of));
  const view = resultView(job, mediaOf(job, accounts), {
    tellsBalance: false,
    spoiler: true,
    price: null,
  });
  const { platform, address } = origin;
  await copies.show(job, { ...view, actions: [] }, { platform, address }, "operators");
});

/** Keeps out whoever asked for a result: of everything, or of the group alone. */
export const block = moderatorButton("block", "action.block", async (context, of, place) => {
  const { blocks, reports } = context;
  const { id, user, operation } = await jobIn(context, place, of);
  await blocks.add({ subject: user, at: currentTime(), reason: `report ${id}`, ...(place && { by: place }) });
  await noteBlock(context, "block", user, place, { job: id, operation });
  const report = await reports.find(id);
  await (report ? answer(context, report, true, place) : tellBlocked(context, user, place));
});

/** Lets somebody in again. */
export const unblock = moderatorButton("unblock", "action.unblock", async (context, of, place) => {
  const user = of as UserId;
  if (await context.blocks.lift(user, place)) await noteBlock(context, "unblock", user, place);
  await tellBlocked(context, user, place);
});

/** What was reported and waits for a decision, and what is withheld, page by page; in a group also whom it keeps out. */
export const reports = command({
  name: "reports",
  label: "command.reports",
  description: "command.reports.description",
  kind: "operator",
  forModerators: true,
  schema: pressableSchema,
  async run(context, { of: before }) {
    const { reply } = context;
    const place = placeOf(context);
    const page = await context.reports.waiting(PAGE + 1, {
      before,
      ...(place ? { chat: place } : { left: true }),
    });
    const shown = page.slice(0, PAGE);
    const items = await Promise.all(
      shown.map(async (one) => reportItem(...(await known(context, one, place)))),
    );
    const out = before === undefined && place ? await keptOut(context, place) : [];
    if (items.length + out.length === 0) return reply({ kind: "notice", text: { key: "reports.none" } });
    const last = shown.at(-1);
    const actions = page.length > PAGE && last ? [action("reports", last.job, "action.older")] : [];
    return reply({ kind: "menu", title: { key: "reports.title" }, items: [...items, ...out], actions });
  },
});

/** Those whom a group keeps out, the latest of them, as lines of a list. */
async function keptOut({ blocks }: Pick<Context, "blocks">, place: ChatId): Promise<MenuItem[]> {
  return (await blocks.keptOutOf(place)).slice(0, PAGE).map((user) => ({
    title: person(user),
    detail: { key: "report.blocked" },
    actions: [action("unblock", user, "action.unblock")],
  }));
}

/**
 * The result that a button is about.
 * @throws ReelayError `stale_button` where it is gone, or was made in private and not withheld by an examination;
 * `not_yours` for one of another place
 */
async function jobIn(
  { ledger, reports }: Pick<Context, "ledger" | "reports">,
  place: Place,
  id: string,
): Promise<Job> {
  const job = await ledger.find(id);
  if (!job || (!canBeReported(job) && !(await reports.find(id)))) throw new ReelayError("stale_button");
  refuseElsewhere(place, job);
  return job;
}

/** @throws ReelayError `not_yours` for a result of another place */
function refuseElsewhere(place: Place, { chat }: Pick<Job, "chat">): void {
  if (place !== undefined && chat !== place) throw new ReelayError("not_yours");
}

/** What refuses a decision about a result, with what was decided before. */
const refusing =
  (place: Place) =>
  /** @throws ReelayError `not_yours`, `operator_decided` */
  (job: Job, before: Report | undefined): void => {
    refuseElsewhere(place, job);
    if (place !== undefined && before && isFinal(before)) throw new ReelayError("operator_decided");
  };

/** Writes down that somebody is kept out, or is no more; the notices of those who decided say so. */
async function noteBlock(
  { audit, origin, reportNews }: Pick<Context, "audit" | "origin" | "reportNews">,
  act: "block" | "unblock",
  rule: UserId,
  chat: Place,
  what: Partial<Record<"job" | "operation", string>> = {},
): Promise<void> {
  const { user, platform: surface } = origin;
  await audit.write({ act, user, surface, rule, ...(chat && { chat }), ...what });
  await reportNews.renew(rule, chat ?? OPERATORS);
}

/** A report with all that is said of it. */
async function known(context: Context, report: Report, place: Place): Promise<Parameters<typeof reportCard>> {
  const job = await jobIn(context, place, report.job);
  return [report, job, await seenBy(place ?? OPERATORS, report, job, context)];
}

const isKeptOut = ({ blocks }: Pick<Context, "blocks">, user: Job["user"], place: Place) =>
  place ? blocks.isKeptOutOf(place, user) : blocks.has({ user });

/** Says what is so now: in the chat where they are told, by their notice alone. */
async function answer(context: Context, report: Report, changed: boolean, place: Place): Promise<void> {
  const { groups, origin, policy, reply, reportNews, surfaces } = context;
  const { chat, user, platform, room } = origin;
  const card = reportCard(...(await known(context, report, place)));
  if (place !== undefined) {
    // What was decided is news: it is told where they are told.
    const isThere = changed && (await groups.of(place)).log?.to === `${platform}:${room}`;
    if (!isThere || !(await reportNews.noticeOf(report.job, place))) await reply(card);
    return;
  }
  const isTold = changed && [chat ?? user, `${platform}:${room}`].includes(policy.reportsTo);
  const notice = isTold ? await reportNews.noticeOf(report.job, OPERATORS) : undefined;
  if (notice) return void (await surfaces.of(platform).revise(notice, card));
  if (!isTold || chat === undefined) await reply(card);
}

/** Says whether somebody is kept out: whom the settings name stays so, whatever is pressed. */
async function tellBlocked(
  context: Pick<Context, "blocks" | "reply">,
  user: UserId,
  place: Place,
): Promise<void> {
  const isBlocked = await isKeptOut(context, user, place);
  const out = place ? "report.kept_out_here" : "report.kept_out";
  const actions = isBlocked ? [action("unblock", user, "action.unblock")] : [];
  const text = { key: isBlocked ? out : "report.let_in", params: { user } } as const;
  await context.reply({ kind: "notice", text, actions });
}
