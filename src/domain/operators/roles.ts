import { OPERATOR_ACTS, type OperatorAct, type OperatorRole } from "../../seam/access/operators.ts";

/** Whoever looks changes nothing. */
const LOOKS: readonly OperatorAct[] = ["see-now", "see-job", "see-log"];

/** What each role may; whatever is not named is refused. */
const MAY: Readonly<Record<OperatorRole, ReadonlySet<OperatorAct>>> = {
  owner: new Set(OPERATOR_ACTS),
  operator: new Set(OPERATOR_ACTS.filter((act) => act !== "manage-operators" && act !== "set-up")),
  // What tokens come to is none of their business.
  moderator: new Set([...LOOKS, "see-people", "uncover", "decide-report", "manage-people"]),
  viewer: new Set([...LOOKS, "see-money", "see-people", "see-partners", "see-rules", "see-keys"]),
};

/** Whether somebody with a role may do something. It is asked here alone. */
export function may(role: OperatorRole, act: OperatorAct): boolean {
  return MAY[role].has(act);
}
