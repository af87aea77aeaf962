import type { Origin } from "../chat/surface.ts";
import type { ErrorCode, Params } from "../errors.ts";
import type { Group } from "../groups/groups.ts";
import type { Person } from "../people/people.ts";
import { refusedByWords } from "./refused-words.ts";
import { mentions } from "./words.ts";
import { STATEMENTS, type StatementName } from "./statements.ts";
import { isOperator } from "./subjects.ts";
import type { Cap } from "./tally.ts";

/** How much somebody may begin with a key that is not theirs, and the error that says so. */
export interface PersonCap extends Cap {
  readonly code: "daily_cap" | "chat_cap";
}

/** What somebody wants to make, as far as rules look at it. */
export interface Request {
  readonly origin: Pick<Origin, "audience" | "user">;
  readonly person: Person;
  /** Every word that says what is to be made. */
  readonly text: string;
  /** Every word that says what is not to be seen in it. */
  readonly avoided: string;
  /** Whether photos were given: people may be in them. */
  readonly photos: boolean;
  /** Whether the chosen template is flagged mature. */
  readonly mature: boolean;
  /** The cap that is reached with somebody else's key. */
  readonly reached: Pick<PersonCap, "code" | "max"> | undefined;
}

/** Whether it may be made. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "ask"; readonly statement: StatementName }
  | Refusal;

/** What says why not. */
interface Refusal {
  readonly kind: "refuse";
  readonly code: ErrorCode;
  readonly params: Params;
}

/**
 * Decides about a request before anything is sent. Refusals come before questions: nobody declares in vain.
 * @param blockedWords the operator's
 */
export function decide(request: Request, blockedWords: readonly string[]): Decision {
  const { origin, person, text, avoided, photos, mature, reached } = request;
  const refused = refusedByWords(request);
  if (refused) return refuse(refused);
  // Partners vouch for their people: those talk to them, not to us.
  const byPartner = origin.audience === "partner";
  if (mentions(`${text}\n${avoided}`, blockedWords)) return refuse("words_blocked");
  if (mature && (origin.audience === "group" || byPartner)) return refuse("mature_here");
  if (reached) return refuse(reached.code, { max: reached.max });
  if (mature && origin.audience === "private" && !hasDeclared(person, "adult"))
    return { kind: "ask", statement: "adult" };
  if (photos && !byPartner && !isOperator(origin.user) && !hasDeclared(person, "consent"))
    return { kind: "ask", statement: "consent" };
  return { kind: "allow" };
}

/** What a group's own rules refuse there: making it in this room, or making it at all. Both name what is allowed. */
export function refusalHere(
  room: string | undefined,
  operation: string,
  { rooms, operations }: Group,
): Refusal | undefined {
  if (rooms && !(room !== undefined && rooms.includes(room)))
    return refuse("room_not_allowed", { rooms: rooms.join(", ") });
  if (operations && !operations.includes(operation))
    return refuse("operation_not_allowed", { operation, operations: operations.join(", ") });
  return undefined;
}

const refuse = (code: ErrorCode, params: Params = {}): Refusal => ({ kind: "refuse", code, params });

/** Whether a person declared it, in its present wording. */
export function hasDeclared(person: Person, statement: StatementName): boolean {
  return person.declared?.[statement]?.version === STATEMENTS[statement].version;
}
