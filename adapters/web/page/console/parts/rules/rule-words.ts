import { hasMessage, type Translate } from "../../../../../../src/common/i18n.ts";
import type { Rule } from "../../../../../../src/seam/surface/rules.ts";

/** A rule's value as people read it. @param value undefined: it is set, and never shown; "": nothing is */
export function valueText(say: Translate, { kind }: Pick<Rule, "kind">, value: string | undefined): string {
  if (value === undefined) return say("console.rules.secret");
  if (kind === "people" && value === "all") return say("setup.people.all");
  if (value === "") return say(kind === "people" ? "setup.people.nobody" : "console.rules.nothing");
  if (kind === "tokens") return say("fact.tokens", { tokens: Number(value) });
  const choice = `console.rules.choice.${value}`;
  return kind === "choice" && hasMessage(choice) ? say(choice) : value;
}

/** What is in force of a rule; undefined for what is never shown. */
export const inForceOf = ({ kind, from, value, fallback }: Rule): string | undefined =>
  kind === "secret" && from !== "default" ? undefined : (value ?? fallback);
