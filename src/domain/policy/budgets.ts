import type { Account } from "../accounts/accounts.ts";
import type { BudgetState, Whose } from "../../seam/access/budgets.ts";
import type { Group } from "../../seam/access/groups.ts";
import { type Partner, partnerUser } from "../../seam/access/partners.ts";
import type { Origin } from "../../seam/origin.ts";
import type { ReelayError } from "../../common/errors.ts";
import { currentTime } from "../../common/time.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { purseOf } from "../accounts/play-money.ts";
import { isOperator, type Subject } from "../accounts/subjects.ts";
import { PartnerBook } from "../partners/partner-book.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import { covers, entryOf, isSet, OPERATORS, spentError, type TokenBudget } from "../budgets/budget.ts";
import { statesOf } from "../budgets/spending.ts";

/** Tokens that may be spent; what is left out has no bound. */
export interface BudgetSetting {
  readonly day?: number | undefined;
  readonly month?: number | undefined;
}

/** The operator's budgets: of each person, of each group, and of all that their key pays. */
export interface OperatorBudgets {
  readonly person: BudgetSetting;
  readonly chat: BudgetSetting;
  readonly key: BudgetSetting;
  /** From which share of a budget on it is warned of, from 0 to 1; undefined: never. */
  readonly warnAt: number | undefined;
}

/** Whoever pays sets them: those who manage a group for its key, the operator for theirs. Those without a bound are among them. */
export function budgetsOfPerson(
  { user, chat }: Pick<Subject, "user" | "chat">,
  { source, keyId }: Pick<Account, "source" | "keyId">,
  group: Group,
  budgets: OperatorBudgets,
): TokenBudget[] {
  if (source === "group" && chat)
    return [
      ...budgetsOf("person", user, { day: group.memberDayTokens, month: group.memberMonthTokens }, keyId),
      ...budgetsOfGroup(chat, keyId, group),
    ];
  if (source !== "operator") return [];
  const inChat = chat && !isOperator(user) ? budgetsOfChat(chat, budgets) : [];
  return [...budgetsOfUser(user, budgets), ...inChat, ...budgetsOfKey(budgets.key)];
}

/** What somebody may spend with the operator's key; whoever runs Reelay has no such budget. */
export const budgetsOfUser = (user: UserId, { person }: Pick<OperatorBudgets, "person">): TokenBudget[] =>
  isOperator(user) ? [] : budgetsOf("person", user, person, OPERATORS);

/** What all in a group may spend with the operator's key. */
export const budgetsOfChat = (chat: ChatId, { chat: budget }: Pick<OperatorBudgets, "chat">): TokenBudget[] =>
  budgetsOf("chat", chat, budget, OPERATORS);

/** What all in a group may spend with its own key. */
export const budgetsOfGroup = (
  chat: ChatId,
  keyId: string,
  { dayTokens, monthTokens }: Group,
): TokenBudget[] => budgetsOf("chat", chat, { day: dayTokens, month: monthTokens }, keyId);

/**
 * A partner's, whoever pays; what the sandbox asks for is counted apart.
 * @param username the service's `in_app_username` that a job is for; undefined: nobody's in particular
 */
export function budgetsOfPartner(
  { id, caps, userCaps }: Pick<Partner, "id" | "caps" | "userCaps">,
  username: string | undefined,
  inSandbox: boolean,
): TokenBudget[] {
  const user = partnerUser(id);
  const { payer } = purseOf(inSandbox);
  return [
    // Ids hold no spaces, so that no name of a user makes one partner's user another's.
    ...(username === undefined
      ? []
      : budgetsOf(
          "user",
          `${user} ${username}`,
          { day: userCaps.dayTokens, month: userCaps.monthTokens },
          payer,
        )),
    ...budgetsOf("partner", user, { day: caps.dayTokens, month: caps.monthTokens }, payer),
  ];
}

/** How far a partner's budgets have been spent; see {@link budgetsOfPartner}. @param now milliseconds since 1970 */
export async function partnerStates(
  database: Pick<Database, "kysely">,
  user: UserId,
  username: string | undefined,
  now: number,
  inSandbox: boolean,
): Promise<readonly BudgetState[]> {
  const partner = await new PartnerBook(database).ofUser(user);
  return statesOf(database, partner ? budgetsOfPartner(partner, username, inSandbox) : [], now);
}

/** Of all that the operator's key pays. */
export const budgetsOfKey = (key: BudgetSetting) => budgetsOf("key", OPERATORS, key, OPERATORS);

function budgetsOf(whose: Whose, by: string, set: BudgetSetting, payer?: string): TokenBudget[] {
  const crowd = { whose, by, ...(payer !== undefined && { payer }) };
  return [
    { ...crowd, period: "day", max: set.day },
    { ...crowd, period: "month", max: set.month },
  ];
}

/**
 * What refuses a job before it is asked for; undefined where all budgets cover it by now.
 * @param price tokens; null: not known
 */
export async function uncovered(
  database: Pick<Database, "kysely">,
  { user }: Pick<Origin, "user">,
  budgets: readonly TokenBudget[],
  price: number | null,
): Promise<ReelayError | undefined> {
  const now = currentTime();
  const bounded = budgets.filter(isSet);
  const states = await statesOf(database, bounded, now);
  const nth = states.findIndex((state) => price !== 0 && !covers(state, price));
  const [budget, full] = [bounded[nth], states[nth]];
  if (!budget || !full) return undefined;
  // Hardly ever is one full.
  const { isReserved } = await import("./reserved.ts");
  const reserved = await isReserved(database, entryOf(budget, now), full, price);
  return spentError(full, isOperator(user), reserved);
}
