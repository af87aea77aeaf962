import { type Command, CommanderError, type Option } from "commander";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import type { ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";
import { ListedOption } from "../output/listed-option.ts";
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

/** Commands that ask for a key: a word too many is one that somebody wrote into the call. */
const ASKS_A_KEY: ReadonlySet<string> = new Set(["connect", "keys add", "partner key"]);

/** As it is called, without the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** What commander says of an option, with the option itself: what it can be is said, too. */
function namingOption(command: Command, error: CommanderError): CommanderError {
  const { options } = command;
  if (error.code === "commander.excessArguments" && ASKS_A_KEY.has(nameOf(command)))
    return new CommanderError(error.exitCode, "commander.keyInCall", error.message);
  const option = options.find(({ flags }) => error.message.includes(`'${flags}'`));
  return option ? new OptionMistake(error, option) : error;
}

/** A word that is the name of a flag, with a value or without; a sentence that begins with dashes is none. */
const LIKE_A_FLAG = /^--[a-z][a-z-]*(?:=.*)?$/i;

/**
 * Has a command and those below it refuse what commander passes over: the first value of a flag that is given twice, and a flag that stands
 * where the value of the one before it is missing.
 */
export function refuseDropped(command: Command): void {
  for (const option of command.options) watch(command, option);
  for (const one of command.commands) refuseDropped(one);
}

function watch(command: Command, option: Option): void {
  // What only switches something says the same twice.
  if (!option.required && !option.optional) return;
  let isGiven = false;
  command.on(`option:${option.name()}`, (value: string | null) => {
    if (value !== null && isMissing(option, value)) throw mistakeOf(option, "optionMissingArgument");
    if (isGiven && !option.variadic) throw mistakeOf(option, "optionTwice");
    isGiven = true;
  });
}

/** An empty value of a field is the core's to judge where it may be a text. */
const isMissing = (option: Option, value: string) =>
  LIKE_A_FLAG.test(value) || (value === "" && !(option instanceof ListedOption && !option.isFile));

const mistakeOf = (option: Option, code: string) =>
  new OptionMistake(new CommanderError(2, `commander.${code}`, `'${option.flags}'`), option);

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
