import type { Translate } from "../../common/i18n.ts";
import type { ProblemView } from "../views.ts";

/**
 * What went wrong and what it cost, said once: most problems' sentences say themselves that it cost nothing. That a command
 * which makes nothing cost nothing goes without saying.
 * @param sentence what went wrong
 * @param place in whose words it is said where the balance can be seen
 */
export function sayWithCost(
  say: Translate,
  sentence: string,
  { problem, job, charged }: Pick<ProblemView, "problem" | "job" | "charged">,
  place: "view" | "page",
): readonly string[] {
  const none = say("view.charged.none");
  const paid = charged !== null && say("view.charged", { count: charged, tokens: charged });
  const cost = charged === 0 ? none : paid || say(`${place}.charged.unknown`);
  if (sentence.includes(none)) return [sentence.replace(none, cost)];
  // The record of a failed job may tell what was charged at first (section 2.4); what comes back, nothing does.
  const returned =
    paid && charged !== 0 && problem.code === "job_failed" ? say(`${place}.charged.returned`) : "";
  return job || charged !== 0 ? [sentence, `${cost} ${returned}`.trim()] : [sentence];
}
