import type { Origin } from "../chat/surface.ts";
import type { ErrorCode, Params } from "../errors.ts";
import type { Person } from "../people/people.ts";
import { mentions } from "./words.ts";
import { STATEMENTS, type StatementName } from "./statements.ts";
import { isOperator } from "./subjects.ts";

/** What somebody wants to make, as far as rules look at it. */
export interface Request {
  readonly origin: Pick<Origin, "audience" | "user">;
  readonly person: Person;
  /** Every word that was given. */
  readonly text: string;
  /** Whether photos were given: people may be in them. */
  readonly photos: boolean;
  /** Whether the chosen template is flagged mature. */
  readonly mature: boolean;
  /** Whether somebody else's key pays, and what was made with it since midnight (UTC). */
  readonly shared: { readonly byPerson: number; readonly inChat: number } | undefined;
}

/** What the operator set. */
export interface Rules {
  readonly blockedWords: readonly string[];
  /** Jobs a day with a key that is not their own. */
  readonly capPerPerson: number;
  readonly capPerChat: number;
}

/** Whether it may be made. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "ask"; readonly statement: StatementName }
  | { readonly kind: "refuse"; readonly code: ErrorCode; readonly params: Params };

/** Decides about a request before anything is sent. Refusals come before questions: nobody declares in vain. */
export function decide(request: Request, rules: Rules): Decision {
  const { origin, person, text, photos, mature, shared } = request;
  if (mentions(text, rules.blockedWords)) return refuse("words_blocked");
  if (mature && origin.audience === "group") return refuse("mature_here");
  if (shared && shared.byPerson >= rules.capPerPerson)
    return refuse("daily_cap", { max: rules.capPerPerson });
  if (shared && shared.inChat >= rules.capPerChat) return refuse("chat_cap", { max: rules.capPerChat });
  if (mature && origin.audience === "private" && !hasDeclared(person, "adult"))
    return { kind: "ask", statement: "adult" };
  if (photos && !isOperator(origin.user) && !hasDeclared(person, "consent"))
    return { kind: "ask", statement: "consent" };
  return { kind: "allow" };
}

const refuse = (code: ErrorCode, params: Params = {}): Decision => ({ kind: "refuse", code, params });

/** Whether a person declared it, in its present wording. */
export function hasDeclared(person: Person, statement: StatementName): boolean {
  return person.declared?.[statement]?.version === STATEMENTS[statement].version;
}
