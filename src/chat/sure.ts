import { ownToken, parseToken } from "./actions.ts";
import type { Action } from "./views.ts";

/** The mark of the buttons here, on every platform. */
export const SURE = "y";

/** What takes everything away is confirmed twice. */
const TWICE: ReadonlySet<string> = new Set(["delete-all-now", "forget-now", "forget-all"]);

/** Whether pressing a button only leads to {@link sureButtons}. */
export const isAskedTwice = (token: string) => TWICE.has(parseToken(token).command);

/** Asks once more: the token behind the mark is pressed, or nothing where they let it be. */
export function sureButtons(token: string): readonly Action[] {
  return [
    { token: ownToken(SURE, ""), label: { key: "sure.no" }, style: "secondary" },
    { token: ownToken(SURE, token), label: { key: "sure.yes" }, style: "danger" },
  ];
}
