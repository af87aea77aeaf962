import type { CommandSpec } from "../../../src/seam/fields.ts";

/** What can be made, of everything that can be asked for. */
export function operationsIn(commands: readonly CommandSpec[]): readonly CommandSpec[] {
  return commands.filter(({ kind }) => kind === "operation");
}
