import { nearest } from "../../../src/seam/nearest.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";

/** A command that somebody wrote, and what stands behind it. */
export interface TypedCommand {
  readonly name: string;
  readonly words: string;
}

/** The command that words begin with, behind a slash. */
export function commandBehindSlash(text: string): TypedCommand | undefined {
  const [, name, words = ""] = /^\/(\w+)\s*([^]*)$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, words };
}

/** Commands of the chat itself, besides the core's, where commands are typed. */
export const CHAT_COMMANDS: readonly Pick<CommandSpec, "name" | "description">[] = [
  { name: "start", description: "chat.command.start" },
  { name: "templates", description: "chat.command.templates" },
  { name: "models", description: "chat.command.models" },
  { name: "studio", description: "chat.command.studio" },
  { name: "cancel", description: "chat.command.cancel" },
];

/** A command's name as it is typed, letters and digits only: `delete-all` is `/deleteall`. */
export const typedName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The core's command of a name as somebody typed it. */
export function specOf(commands: readonly CommandSpec[], typed: string): CommandSpec | undefined {
  return commands.find(({ name }) => typedName(name) === typedName(typed));
}

/** Whether there is such a command, of the core or of the chat. */
export function isCommand(commands: readonly CommandSpec[], typed: string): boolean {
  const own = CHAT_COMMANDS.some(({ name }) => name === typedName(typed));
  return own || specOf(commands, typed) !== undefined;
}

/** The operation of a name, of those that the operator switched off: everywhere, or on a platform. */
export function operationOff(off: readonly string[], typed: string): string | undefined {
  const operations = off.map((entry) => entry.slice(entry.indexOf(":") + 1));
  return operations.find((operation) => typedName(operation) === typedName(typed));
}

/** Whether a command is answered in private only. */
export const isPrivate = (spec: CommandSpec) => spec.kind === "command" && !spec.public;

/** What was probably meant by a name that there is none of. */
export function nearestCommand(commands: readonly CommandSpec[], typed: string): string | undefined {
  const names = [...CHAT_COMMANDS, ...commands].map(({ name }) => typedName(name));
  const name = typedName(typed);
  // Of a short name a slip leaves most letters as they are.
  return nearest(name, names, Math.min(3, Math.ceil(name.length / 3)));
}
