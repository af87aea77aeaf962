import { closest, distance } from "fastest-levenshtein";
import type { CommandSpec } from "../../../src/chat/fields.ts";
import type { MessageKey } from "../../../src/i18n.ts";

/** A command as Telegram's menu lists it. */
export interface ListedCommand {
  readonly name: string;
  readonly description: MessageKey;
}

/** Commands of the adapter itself, besides the core's. */
export const OWN_COMMANDS: readonly ListedCommand[] = [
  { name: "start", description: "telegram.command.start" },
  { name: "templates", description: "telegram.command.templates" },
  { name: "models", description: "telegram.command.models" },
  { name: "cancel", description: "telegram.command.cancel" },
];

/** As many wrong letters as a slip of the thumb makes. */
const SLIP = 3;

/** What may be shown where others read along; everything else is between a person and the bot. */
const PUBLIC = new Set(["help", "language", "disconnect"]);

/** A command's name as Telegram takes it, letters and digits only: `delete-all` is `/deleteall`. */
export const telegramName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The core's command of a name as somebody typed it. */
export function specOf(commands: readonly CommandSpec[], typed: string): CommandSpec | undefined {
  return commands.find(({ name }) => telegramName(name) === telegramName(typed));
}

/** Whether there is such a command, of the core or of the adapter. */
export function isCommand(commands: readonly CommandSpec[], typed: string): boolean {
  const own = OWN_COMMANDS.some(({ name }) => name === telegramName(typed));
  return own || specOf(commands, typed) !== undefined;
}

/** The operation of a name, of those that the operator switched off: everywhere, or on a platform. */
export function operationOff(off: readonly string[], typed: string): string | undefined {
  const operations = off.map((entry) => entry.slice(entry.indexOf(":") + 1));
  return operations.find((operation) => telegramName(operation) === telegramName(typed));
}

/** Whether a command is answered in private only. */
export const isPrivate = ({ kind, name }: CommandSpec) => kind === "command" && !PUBLIC.has(name);

/** What was probably meant by a name that there is none of. */
export function nearestCommand(commands: readonly CommandSpec[], typed: string): string | undefined {
  const names = [...OWN_COMMANDS, ...commands].map(({ name }) => telegramName(name));
  const name = telegramName(typed);
  const best = closest(name, names);
  return distance(best, name) <= SLIP ? best : undefined;
}
