import type { BudgetState } from "../../seam/access/budgets.ts";
import type { Surfaces } from "../../seam/surface/surfaces.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import type { NoticeView } from "../../seam/views.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";

/** How whoever runs Reelay is told. */
interface OperatorParts {
  readonly log: Logger;
  readonly surfaces: Surfaces;
  readonly policy: { readonly reportsTo: string };
}

/**
 * Tells of budgets that are spent for the most part: whoever runs Reelay of their key's, in the log and where reports go if that is a
 * chat; everybody else of their own. The job that brought them so far is accepted, whether that can be told or not.
 * @param tell tells whoever asked for the job; `said` says it to people
 */
export async function warnOfBudgets(
  parts: OperatorParts,
  budgets: readonly BudgetState[],
  tell: (budget: BudgetState, said: NoticeView) => Promise<void>,
): Promise<void> {
  for (const budget of budgets) {
    const said = warningOf(budget);
    const telling = budget.whose === "key" ? tellOperators(parts, budget, said) : tell(budget, said);
    await telling.catch((err: unknown) =>
      parts.log.warn({ err }, "Somebody could not be told that a budget is spent for the most part"),
    );
  }
}

async function tellOperators(
  { log, policy, surfaces }: OperatorParts,
  { period, max, spent, until }: BudgetState,
  said: NoticeView,
): Promise<void> {
  log.warn({ period, max, spent, until }, "The budget of your key is spent for the most part");
  const { reportsTo: to } = policy;
  if (/^https?:/.test(to)) return;
  const surface = surfaces.of(platformOf(to as UserId));
  await surface.deliver(await surface.reach(to as UserId), said);
}

function warningOf({ whose, period: during, max: budget, spent, until }: BudgetState): NoticeView {
  return { kind: "notice", text: { key: "budget.warning", params: { whose, during, budget, spent, until } } };
}
