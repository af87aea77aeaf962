import type { MessageKey, Translate } from "../../common/i18n.ts";
import type { ProblemView } from "../views.ts";

/**
 * What went wrong and what it cost, said once: most problems' sentences say themselves that it cost nothing. That a command
 * which makes nothing cost nothing goes without saying.
 * @param sentence what went wrong
 * @param unknown what is said where it is not known what it cost
 */
export function sayWithCost(
  say: Translate,
  sentence: string,
  { job, charged }: Pick<ProblemView, "job" | "charged">,
  unknown: MessageKey,
): readonly string[] {
  const none = say("view.charged.none");
  const paid = charged !== null && say("view.charged", { count: charged, tokens: charged });
  const cost = charged === 0 ? none : paid || say(unknown);
  if (sentence.includes(none)) return [sentence.replace(none, cost)];
  return job || charged !== 0 ? [sentence, cost] : [sentence];
}
