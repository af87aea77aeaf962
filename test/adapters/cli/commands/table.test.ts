import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../../adapters/cli/commands/table.ts";
import { COMMAND_SPECS, OPERATOR_SPECS } from "../../../../src/domain/dispatch/registry.ts";

describe("the list of commands", () => {
  it("says of the core's commands what the core says, in its order", () => {
    const listed = COMMANDS["cli.help.account"]?.map(({ usage, summary }) => [usage, summary]);
    const known = [...COMMAND_SPECS, ...OPERATOR_SPECS]
      // Its help is about a chat.
      .filter(({ kind, name }) => kind === "command" && name !== "help")
      .map(({ name, description }) => [name, description]);
    expect(listed).toEqual(known);
  });
});
