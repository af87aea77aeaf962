import type { UserId } from "../../../../../src/seam/values.ts";
import { ownerOf } from "../../../../../src/seam/access/partners.ts";
import { TERMINAL_OWNER } from "../../../../../src/seam/access/operators.ts";
import type { Desk } from "../state/context.ts";
import { hasMessage, type Locale, type Translate } from "../../../../../src/common/i18n.ts";

/** Something named by a key of the core's, as people read it; whatever has no name is said as it is. */
export function named(say: Translate, family: string, name: string): string {
  const key = `${family}.${name}`;
  return hasMessage(key) ? say(key) : name;
}

/** Where a job is, by a state or a phase of the core's. */
export function stateText(say: Translate, state: string): string {
  if (state === "untold" || state === "sending") return say("console.place.untold");
  if (state === "unreachable") return say("console.place.unreachable");
  return named(say, "state", state === "checking" ? "unsure" : state);
}

/** What was done, as the audit says it on the command line, too. */
export function actText(say: Translate, act: string): string {
  const key = `cli.act.${act}`;
  return hasMessage(key) ? say(key) : act;
}

/** Somebody who runs Reelay, or a partner, as they are called; by their id, where nobody knows that. @param id null: nobody is known */
export function operatorText({ say, session }: Pick<Desk, "say" | "session">, id: string | null): string {
  if (id === TERMINAL_OWNER) return say("operator.terminal");
  return id === null ? "–" : (session.names[id] ?? id);
}

/** What stands by itself, such as in a cell: sentences of the core's may begin with a small letter. */
export const atStart = (locale: Locale, text: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Somebody as those who run Reelay know them: who of those it is, or which partner; else by their id, the one name that stays theirs. */
export function personText(desk: Pick<Desk, "say" | "session">, id: string): string {
  const { user, username } = ownerOf(id as UserId);
  const name = operatorText(desk, user);
  if (name === user) return id;
  return username === undefined ? name : `${name} · ${username}`;
}

/** Words of the audit among which ids stand, with what is known of those in their place. */
export const withNames = (desk: Pick<Desk, "say" | "session">, words: string): string =>
  words
    .split(" ")
    .map((word) => personText(desk, word))
    .join(" ");

/** A moment to the second. @param at milliseconds since 1970 */
export const timeText = (locale: Locale, at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }).format(at);

/** A day of UTC. @param day as YYYY-MM-DD */
export const dayText = (locale: Locale, day: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(day),
  );
