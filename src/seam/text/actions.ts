import type { MessageKey } from "../../common/i18n.ts";
import type { Action, Message } from "../views.ts";

/** Bytes that a button carries at most: what the platform with the shortest ones allows (Telegram). */
export const TOKEN_BYTES = 64;

/**
 * A button is a command with at most one argument, written out: `again:m1x…`. Nothing is stored for it, so it
 * outlives every restart; and it is bound to its owner because a command only ever touches what belongs to
 * whoever presses it. At most {@link TOKEN_BYTES}.
 */
export function action(
  command: string,
  arg: string,
  label: MessageKey,
  style: Action["style"] = "secondary",
): Action {
  return { token: `${command}:${arg}`, label: { key: label }, style };
}

/** Asks for a key of one's own, where it takes one. */
export const CONNECT_KEY: Action = action("reconnect", "key", "command.connect", "primary");

/** What stands between what a spending button is about and what it costs. */
const FOR = "@";

/**
 * A button that spends: what it costs stands on it and in it, so that nobody is charged more than they pressed for.
 * @param tokens null where it is not known beforehand: nothing stands on it then
 */
export function spendingAction(
  command: string,
  arg: string,
  labels: { readonly bare: MessageKey; readonly priced: MessageKey },
  tokens: number | null,
  style: Action["style"],
): Action {
  if (tokens === null) return action(command, arg, labels.bare, style);
  const label: Message = { key: labels.priced, params: { count: tokens, tokens } };
  return { token: `${command}:${arg}${FOR}${tokens}`, label, style };
}

/** What a spending button is about, and what it said that it costs. */
export function parsePriced(arg: string): { readonly of: string; readonly price?: number } {
  const [of = "", price] = arg.split(FOR);
  return price === undefined || !Number.isFinite(Number(price)) ? { of } : { of, price: Number(price) };
}

/** A button that its adapter deals with itself, `~<handler>:<what>`: no command of the core begins with the mark. */
export const ownToken = (handler: string, what: string) => `~${handler}:${what}`;

/** The button of such a token. */
export function ownAction(
  handler: string,
  what: string,
  label: Message,
  style: Action["style"] = "secondary",
): Action {
  return { token: ownToken(handler, what), label, style };
}

/** Whether a button is an adapter's own. */
export const isOwnToken = (token: string) => token.startsWith("~");

/** What stands behind the mark of an adapter's own button, if it is this handler's. */
export function ownPart(token: string | undefined, handler: string): string | undefined {
  const mark = ownToken(handler, "");
  return token?.startsWith(mark) ? token.slice(mark.length) : undefined;
}

/** The command and the argument of a button. */
export function parseToken(token: string): { command: string; arg: string } {
  const colon = token.indexOf(":");
  return colon < 0
    ? { command: token, arg: "" }
    : { command: token.slice(0, colon), arg: token.slice(colon + 1) };
}
