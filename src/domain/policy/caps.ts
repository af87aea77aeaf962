import type { Account } from "../accounts/accounts.ts";
import { type Partner, partnerUser } from "../../seam/access/partners.ts";
import type { Origin } from "../../seam/origin.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Group } from "../../seam/access/groups.ts";
import { type CountQuery, countJobs } from "../jobs/count.ts";
import type { Job } from "../jobs/job.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { BudgetState } from "../../seam/access/budgets.ts";
import { endOf, payerOf, spentError, type TokenBudget } from "../budgets/budget.ts";
import { type HeldTokens, hold } from "../budgets/spending.ts";
import { purseOf } from "../accounts/play-money.ts";
import { isOperator } from "../accounts/subjects.ts";
import { budgetsOfKey, budgetsOfPartner, budgetsOfPerson, type OperatorBudgets } from "./budgets.ts";
import { type Cap, UsageCounter } from "./usage-counter.ts";
import { currentTime } from "../../common/time.ts";

/** What is told when a cap is reached. */
type Told =
  | { readonly code: "daily_cap" | "chat_cap" | "at_once_cap" | "chat_at_once_cap" }
  /** `whose`: all jobs of the partner, or those of one `in_app_username`. */
  | { readonly code: "partner_cap"; readonly whose: "partner" | "user" };

/** What a job will cost. */
export interface Cost {
  /** Tokens; null: not known. */
  readonly price: number | null;
  /** Tokens that the dearest job of all costs, as far as is known. */
  readonly dearest: number;
}

/** How many jobs may be begun in a day or a month. */
export type BegunCap = Cap & Told;

/** How many may be going on at once. */
export type AtOnceCap = {
  readonly period: "at_once";
  readonly max: number;
  readonly jobs: CountQuery;
} & Told;

/** What a job counts under; the smaller crowd comes first, because its refusal says more. */
export interface JobCaps {
  readonly begun: readonly BegunCap[];
  readonly atOnce: readonly AtOnceCap[];
  readonly budgets: readonly TokenBudget[];
}

/** Caps of the operator for people and groups. */
export interface PersonCaps {
  readonly budgets: OperatorBudgets;
  readonly dailyCap: number;
  readonly chatDailyCap: number;
  readonly atOnce: number | undefined;
  readonly chatAtOnce: number | undefined;
}

/**
 * Daily caps are for other people's tokens: play money and one's own have none, and the operator's key is their own on their
 * page and command line. What goes on at once is the host's load.
 */
export function capsOfPerson(
  { user, chat, roles = [] }: Pick<Origin, "user" | "chat" | "roles">,
  { source, keyId }: Pick<Account, "source" | "keyId">,
  group: Group,
  { dailyCap, chatDailyCap, atOnce, chatAtOnce, budgets }: PersonCaps,
): JobCaps {
  const isGroups = source === "group";
  const payer = payerOf({ source, keyId });
  const shared = isGroups || (source === "operator" && !isOperator(user));
  const daily = (isGroups ? memberDailyOf(group, roles) : undefined) ?? dailyCap;
  // Counted without one, too: managers are told how much their group's key was used.
  const inChat = isGroups ? (group.daily ?? Number.POSITIVE_INFINITY) : chatDailyCap;
  return {
    begun: [
      ...(shared ? [{ code: "daily_cap", period: "day", payer, by: user, max: daily } as const] : []),
      ...(shared && chat ? [{ code: "chat_cap", period: "day", payer, by: chat, max: inChat } as const] : []),
    ],
    atOnce: [
      ...atOnceCap({ code: "at_once_cap" }, { user }, atOnce),
      ...(chat ? atOnceCap({ code: "chat_at_once_cap" }, { chat }, chatAtOnce) : []),
    ],
    budgets: budgetsOfPerson({ user, chat }, { source, keyId }, group, budgets),
  };
}

/** Jobs a day of a member: the most that a role of theirs allows, where any says something. */
function memberDailyOf({ memberDaily, roleDaily = {} }: Group, roles: readonly string[]): number | undefined {
  const allowed = roles.flatMap((role) => roleDaily[role] ?? []);
  return allowed.length > 0 ? Math.max(...allowed) : memberDaily;
}

/**
 * @param username the service's `in_app_username` that the job is for
 * @param source whose key pays
 * @param inSandbox whether that is in play money, which is counted apart
 */
export function capsOfPartner(
  partner: Partner,
  username: string,
  { source }: Pick<Account, "source">,
  { key }: Pick<OperatorBudgets, "key">,
  inSandbox: boolean,
): JobCaps {
  const { id, caps, userCaps } = partner;
  const user = partnerUser(id);
  const purse = purseOf(inSandbox);
  const crowds = [
    // Ids hold no spaces, so that no name of a user makes one partner's user another's.
    { caps: userCaps, whose: "user", by: `${user} ${username}`, jobs: { user, username } },
    { caps, whose: "partner", by: user, jobs: { user } },
  ] as const;
  return {
    begun: crowds.flatMap(({ caps: { day, month }, whose, by }) => [
      ...begunCap({ code: "partner_cap", whose }, { by, ...purse }, "day", day),
      ...begunCap({ code: "partner_cap", whose }, { by, ...purse }, "month", month),
    ]),
    atOnce: crowds.flatMap(({ caps: { atOnce }, whose, jobs }) =>
      atOnceCap({ code: "partner_cap", whose }, jobs, atOnce),
    ),
    budgets: [
      ...budgetsOfPartner(partner, username, inSandbox),
      ...(source === "operator" ? budgetsOfKey(key) : []),
    ],
  };
}

function begunCap(
  told: Told,
  whose: Pick<Cap, "by" | "payer">,
  period: "day" | "month",
  max: number | undefined,
): BegunCap[] {
  return max === undefined ? [] : [{ ...told, ...whose, period, max }];
}

function atOnceCap(told: Told, jobs: CountQuery, max: number | undefined): AtOnceCap[] {
  return max === undefined ? [] : [{ ...told, jobs, period: "at_once", max }];
}

/**
 * Counts a job that begins now, in the transaction that writes it: of several at the same moment only as many begin as
 * may.
 * @returns what it counts for in budgets, and those that are to be warned of
 * @throws ReelayError of the cap that is reached, or the budget that does not cover it
 */
export async function countUnder(
  { begun, atOnce, budgets }: JobCaps,
  transaction: Pick<Database, "kysely">,
  { id: job, user }: Pick<Job, "id" | "user">,
  { cost, warnAt }: { readonly cost: Cost; readonly warnAt: number | undefined },
): Promise<{ readonly held: HeldTokens | null; readonly warnings: readonly BudgetState[] }> {
  for (const cap of atOnce)
    if ((await countJobs(transaction, { ...cap.jobs, goingOn: true })) >= cap.max) throw reached(cap);
  const full = await new UsageCounter(transaction).begin(begun, job);
  if (full) throw reached(full);
  if (budgets.length === 0) return { held: null, warnings: [] };
  const outcome = await hold(transaction, { budgets, ...cost, warnAt, now: currentTime() });
  if ("full" in outcome) {
    const { full, entry } = outcome;
    const { isReserved } = await import("./reserved.ts");
    throw spentError(full, isOperator(user), await isReserved(transaction, entry, full, cost.price));
  }
  return outcome;
}

/** A cap that is reached, as an error. */
export function reached(cap: BegunCap | AtOnceCap): ReelayError {
  const { code, max, period } = cap;
  // Tomorrow it is none again.
  if (max === 0 && (code === "daily_cap" || code === "chat_cap")) return new ReelayError("shared_key_off");
  if (!("whose" in cap)) return new ReelayError(code, { max });
  const { whose } = cap;
  if (period === "at_once") return new ReelayError(code, { max, period, whose });
  return new ReelayError("partner_period_cap", { max, period, whose, until: endOf(period, currentTime()) });
}
