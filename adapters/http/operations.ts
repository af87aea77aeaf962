import type { CommandSpec } from "../../src/chat/fields.ts";
import { ReelayError } from "../../src/errors.ts";

/** What can be made, of everything that can be asked for. */
export function operationsIn(commands: readonly CommandSpec[]): readonly CommandSpec[] {
  return commands.filter(({ kind }) => kind === "operation");
}

/** One thing that can be made. @throws ReelayError `unknown_command` */
export function operationIn(commands: readonly CommandSpec[], name: string): CommandSpec {
  const spec = operationsIn(commands).find((operation) => operation.name === name);
  if (!spec) throw new ReelayError("unknown_command", { name });
  return spec;
}
