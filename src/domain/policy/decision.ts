import type { Origin } from "../../seam/origin.ts";
import { type Platform, STATEMENT_NAMES, type StatementName } from "../../seam/values.ts";
import type { ErrorCode, Params } from "../../common/errors.ts";
import type { Group } from "../../seam/access/groups.ts";
import { mayMature, operationsFor } from "../groups/groups.ts";
import type { Person } from "../people/people.ts";
import type { Traits } from "../jobs/traits.ts";
import { matureFits, type MaturePlaces } from "./mature.ts";
import type { WordEntry, OperatorWords } from "./words/operator-words.ts";
import { refusedByWords, type Wording } from "./words/refused-words.ts";
import { STATEMENTS, versionOf } from "./statements.ts";

/** Who asks for what, and where: everything that rules look at, as plain data. */
export interface Situation extends Wording {
  readonly platform: Platform;
  /** Where they are from, if that is elsewhere: somebody of a chat on the page. */
  readonly home?: Platform;
  readonly audience: Origin["audience"];
  /** The channel of the group. */
  readonly room: string | undefined;
  /** The platform's ids of the roles that they have there. */
  readonly roles?: readonly string[] | undefined;
  readonly operation: string;
  /** The operator's pattern that fits what was written; `late` where that could not be told in time. */
  readonly pattern: WordEntry | "late" | undefined;
  /** What is known of the given pictures, from how they were made here. */
  readonly known: Traits;
  /** What is stated with each start of the operation; undefined: what was stated once is enough. */
  readonly agreement: StatementName | undefined;
  /** Whether the operator blocked them, their group or their partner. */
  readonly blocked: boolean;
  /** Their name at their partner, where the operator blocked them alone. */
  readonly blockedThere: string | undefined;
  /** Whether they are among those whom the operator lets in. */
  readonly invited: boolean;
  readonly group: Group;
  /** The cap that is reached with somebody else's key. */
  readonly reached: Pick<Refusal, "code" | "params"> | undefined;
  readonly person: Person;
  /** What they state with this very request. */
  readonly agreed: readonly StatementName[];
  /** Whether their partner stands in for them: those talk to their people, not we. */
  readonly vouched: boolean;
  /** Whether the operator allows mature templates to their partner. */
  readonly partnerHasMature: boolean;
}

/** What the operator set. */
export interface Rules {
  readonly operationsOff: readonly string[];
  readonly words: OperatorWords;
  readonly mature: MaturePlaces;
  readonly termsUrl: string | undefined;
}

/** Whether it may be made. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "ask"; readonly statement: StatementName }
  | Refusal;

/** What says why not. */
export interface Refusal {
  readonly kind: "refuse";
  readonly code: ErrorCode;
  readonly params: Params;
}

/**
 * Decides about a request before anything is sent. Refusals come before questions: nobody states anything in vain. Of
 * several refusals the first is told: who and where before what.
 */
export function decide(situation: Situation, rules: Rules): Decision {
  for (const refusal of REFUSALS) {
    const refused = refusal(situation, rules);
    if (refused) return refused;
  }
  const [missing] = missingStatements(situation, rules);
  return missing ? { kind: "ask", statement: missing } : { kind: "allow" };
}

/** What is still to be stated, the most general first. */
export function missingStatements(situation: Situation, { termsUrl }: Rules): readonly StatementName[] {
  return statementsFor(situation).filter((name) => !hasStated(situation, name, termsUrl));
}

/** In the order in which they are told. */
const REFUSALS: readonly ((situation: Situation, rules: Rules) => Refusal | undefined)[] = [
  ({ blocked }) => (blocked ? refuse("blocked") : undefined),
  ({ blockedThere: name }) => (name === undefined ? undefined : refuse("user_blocked", { name })),
  ({ invited }) => (invited ? undefined : refuse("not_invited")),
  refusalHere,
  (situation) => {
    const code = refusedByWords(situation, situation.known);
    return code && refuse(code);
  },
  ({ text, avoided, pattern }, { words }) => {
    const found = words.find(`${text}\n${avoided}`) ?? pattern;
    // What nobody could look at in time is not let through: a text could be made for that.
    if (found === "late") return refuse("words_unread");
    return found && refuse("words_blocked", found.line === undefined ? {} : { line: found.line });
  },
  ({ mature, known, audience, partnerHasMature, group, roles }, { mature: places }) =>
    (mature || known.mature) && !(matureFits(audience, places, partnerHasMature) && mayMature(group, roles))
      ? refuse(mature ? (places === "off" ? "mature_off" : "mature_here") : "mature_picture")
      : undefined,
  ({ reached }) => reached && refuse(reached.code, reached.params),
];

/** What refuses an operation in a place, whatever is to be made with it. All name what is allowed instead. */
export function refusalHere(
  {
    platform,
    home = platform,
    room,
    roles,
    operation,
    group,
  }: Pick<Situation, "platform" | "home" | "room" | "roles" | "operation" | "group">,
  { operationsOff }: Pick<Rules, "operationsOff">,
): Refusal | undefined {
  if ([platform, home].some((place) => isOff(operation, place, operationsOff)))
    return refuse("operation_off", { operation });
  const { rooms } = group;
  const operations = operationsFor(group, roles);
  if (rooms && !(room !== undefined && rooms.includes(room)))
    return refuse("room_not_allowed", { rooms: rooms.join(", ") });
  if (operations && !operations.includes(operation))
    return refuse("operation_not_allowed", { operation, operations: operations.join(", ") });
  return undefined;
}

/** Whether the operator switched an operation off: everywhere, or on a platform. */
export function isOff(operation: string, platform: Platform, operationsOff: readonly string[]): boolean {
  return operationsOff.includes(operation) || operationsOff.includes(`${platform}:${operation}`);
}

/** What must have been stated, the most general first. */
function statementsFor({ vouched, mature, known, photos, agreement }: Situation): readonly StatementName[] {
  if (vouched) return [];
  return [
    "terms",
    ...(mature || known.mature ? ["adult" as const] : []),
    ...(photos ? [agreement ?? "consent"] : []),
  ];
}

function hasStated(
  { person, agreed }: Pick<Situation, "person" | "agreed">,
  name: StatementName,
  termsUrl: string | undefined,
): boolean {
  return agreed.includes(name) || (!STATEMENTS[name].everyTime && hasDeclared(person, name, termsUrl));
}

const refuse = (code: ErrorCode, params: Params = {}): Refusal => ({ kind: "refuse", code, params });

/** Whether a person declared it, in its present wording. */
export function hasDeclared(person: Person, statement: StatementName, termsUrl: string | undefined): boolean {
  return person.declared?.[statement]?.version === versionOf(statement, termsUrl);
}

/** What a person stated that still counts, in its present wording and for whatever they ask next. */
export function standing(person: Person, termsUrl: string | undefined): readonly StatementName[] {
  return STATEMENT_NAMES.filter((name) => !STATEMENTS[name].everyTime && hasDeclared(person, name, termsUrl));
}
