import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Period } from "../../seam/access/budgets.ts";
import type { SpentBudget } from "../../seam/access/money.ts";
import { partnerUser } from "../../seam/access/partners.ts";
import type { UserId } from "../../seam/values.ts";
import { isSet, type SetBudget, type TokenBudget } from "../budgets/budget.ts";
import { statesOf } from "../budgets/spending.ts";
import { PartnerBook } from "../partners/partner-book.ts";
import {
  budgetsOfChat,
  budgetsOfKey,
  budgetsOfPartner,
  budgetsOfUser,
  type OperatorBudgets,
} from "../policy/budgets.ts";
import { dayOf, firstOfMonth } from "../usage/forecast.ts";

type Storage = Pick<Database, "kysely">;

/** Of people and groups, which all have the same budget, those who spent the most. */
const MOST_SPENDERS = 10;

/** A budget before it is known what was spent of it. */
interface Owned {
  readonly by: SpentBudget["by"];
  readonly budget: SetBudget;
}

/**
 * How far budgets have been spent: that of the operator's key, those of partners, and those of the people and groups who spent the
 * most; what is spent for the most part first.
 * @param now milliseconds since 1970
 * @param inSandbox whether what partners spend is play money
 */
export async function spentBudgets(
  database: Storage,
  budgets: OperatorBudgets,
  now: number,
  inSandbox: boolean,
): Promise<readonly SpentBudget[]> {
  const owned = [
    ...ownedBy(null, budgetsOfKey(budgets.key)),
    ...(await ofPartners(database, inSandbox)),
    ...(await ofSpenders(database, budgets, now)),
  ];
  const states = await statesOf(
    database,
    owned.map(({ budget }) => budget),
    now,
  );
  return states
    .map((state, nth): SpentBudget => Object.assign(state, { by: owned[nth]?.by ?? null }))
    .toSorted((a, b) => shareOf(b) - shareOf(a));
}

/** How much of a budget is spent: more than 1 where it cost more than was expected. */
const shareOf = ({ spent, max }: SpentBudget) => (max === 0 ? 1 : spent / max);

const ownedBy = (by: Owned["by"], budgets: readonly TokenBudget[]): readonly Owned[] =>
  budgets.filter(isSet).map((budget) => ({ by, budget }));

async function ofPartners(database: Storage, inSandbox: boolean): Promise<readonly Owned[]> {
  const pages = await new PartnerBook(database).list();
  return pages.flatMap(({ partner }) =>
    ownedBy(partnerUser(partner.id), budgetsOfPartner(partner, undefined, inSandbox)),
  );
}

async function ofSpenders(
  database: Storage,
  budgets: OperatorBudgets,
  now: number,
): Promise<readonly Owned[]> {
  const owned: Owned[] = [];
  for (const period of ["day", "month"] as const satisfies Period[]) {
    const isOf = (budget: TokenBudget) => budget.period === period;
    const since = Date.parse(period === "day" ? dayOf(now) : firstOfMonth(now));
    if (budgets.person[period] !== undefined)
      for (const user of await spenders(database, "user", since))
        owned.push(...ownedBy(user, budgetsOfUser(user, budgets).filter(isOf)));
    if (budgets.chat[period] !== undefined)
      for (const chat of await spenders(database, "chat", since))
        owned.push(...ownedBy(chat, budgetsOfChat(chat, budgets).filter(isOf)));
  }
  return owned;
}

/** Who spent the most of the operator's tokens, or may have: an earlier version did not write down who pays. */
async function spenders(
  { kysely }: Storage,
  column: "user" | "chat",
  since: number,
): Promise<readonly UserId[]> {
  const rows = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => [`${column} as id`, fn.sum<number>("cost").as("tokens")])
    // Ids are in the order of time, so that no other month is looked through.
    .where("id", ">=", idsFrom(since))
    .where("user", "not like", `${partnerUser("")}%`)
    .where((where) => where.or([where("paid_by", "=", "operator"), where("paid_by", "is", null)]))
    .where("cost", ">", 0)
    .where(column, "is not", null)
    .groupBy(column)
    .orderBy("tokens", "desc")
    .limit(MOST_SPENDERS)
    .execute();
  return rows.map(({ id }) => id as UserId);
}
