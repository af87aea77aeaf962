import type { ComponentChildren } from "preact";
import type { BudgetState } from "../../../../../src/seam/access/budgets.ts";
import { useDesk } from "../state/context.ts";

/** From which share on a budget is near its end where nothing else is said. */
const NEAR_AT = 0.8;

/** A budget with whoever it is of. */
interface Named<B> {
  readonly budget: B;
  readonly name: string;
  /** Leads to them; left out: nowhere. */
  readonly shown?: ComponentChildren;
}

/**
 * Budgets, each with what was spent of it as a bar and in numbers.
 * @param nearAt from which share on one is near its end, from 0 to 1
 */
export function Budgets<B extends BudgetState>(props: {
  budgets: readonly B[];
  nearAt?: number;
  nameOf?: (budget: B) => Omit<Named<B>, "budget">;
}) {
  const { say } = useDesk();
  const {
    budgets,
    nearAt = NEAR_AT,
    nameOf = ({ whose }) => ({ name: say(`console.budget.${whose}`) }),
  } = props;
  return (
    <ul class="budgets">
      {budgets.map((budget) => {
        const named = { budget, ...nameOf(budget) };
        return (
          <BudgetLine key={`${named.name} ${budget.whose} ${budget.period}`} {...named} nearAt={nearAt} />
        );
      })}
    </ul>
  );
}

function BudgetLine({ budget, name, shown, nearAt }: Named<BudgetState> & { nearAt: number }) {
  const { say } = useDesk();
  const { period, spent, max } = budget;
  const during = say(`console.budget.during.${period}`);
  const near = spent >= max ? "over" : spent >= max * nearAt ? "near" : undefined;
  return (
    <li>
      <span class="gauge-name">
        {shown ?? name} · {during}
      </span>
      <meter
        aria-label={`${name} · ${during}`}
        min={0}
        // A budget of nothing is spent.
        max={Math.max(max, 0.01)}
        high={max * nearAt}
        optimum={0}
        value={max === 0 ? 0.01 : Math.min(spent, max)}
      />
      <span class="gauge-value">
        {say("console.budget.spent", { spent, budget: max })}
        {near && <b class={near}> · {say(`console.budget.${near}`)}</b>}
      </span>
    </li>
  );
}
