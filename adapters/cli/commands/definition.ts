import type { Command, CommanderError } from "commander";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import type { ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";
import { OptionMistake } from "../output/problems.ts";
import type { GroupedCommand } from "./grouped.ts";

/** What a command is defined with. */
export interface Definition {
  readonly shell: Shell;
  /** Hears the exit code of the one command that ran. */
  readonly finish: (code: ExitCode) => void;
  /** `reelay` with everything that every command takes. */
  readonly wholeProgram: () => Promise<Command>;
}

/** Gives a command its flags and what it does, or the commands below it. */
export type Define = (command: Command, definition: Definition) => void | Promise<void>;

/** Lets a command do something; every one takes `--json`, after its own flags. */
export function does(
  command: Command,
  { shell, finish }: Definition,
  action: (shell: Shell, command: Command) => Promise<ExitCode>,
): Command {
  return command
    .exitOverride((error) => {
      throw namingOption(command, error);
    })
    .option("--json", shell.translate("cli.flag.json"))
    .action(async () => finish(await action(shell, command)));
}

/** What commander says of an option, with the option itself: what it can be is said, too. */
function namingOption({ options }: Command, error: CommanderError): CommanderError {
  const option = options.find(({ flags }) => error.message.includes(`'${flags}'`));
  return option ? new OptionMistake(error, option) : error;
}

/** Adds a command below another; its flags are still to come. */
export function below(
  parent: Command,
  { shell }: Definition,
  usage: string,
  description: MessageKey,
): Command {
  return parent.helpCommand(false).command(usage).description(shell.translate(description));
}

/** Defines a command that only holds others. */
export function group(commands: readonly GroupedCommand[]): Define {
  return (parent, definition) => {
    for (const { usage, description, addFlags, run } of commands) {
      const command = below(parent, definition, usage, description);
      addFlags(command, definition.shell.translate);
      does(command, definition, run);
    }
  };
}

/** What can be made, as the core describes it. */
export async function operationsOf({ runtime }: Shell): Promise<readonly CommandSpec[]> {
  return (await runtime.commands()).filter(({ kind }) => kind === "operation");
}

/** The names of what can be made. */
export async function operationNames(shell: Shell): Promise<readonly string[]> {
  return (await operationsOf(shell)).map(({ name }) => name);
}
