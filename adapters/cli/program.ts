import { Command } from "commander";
import { VERSION } from "../../src/seam/version.ts";
import type { MessageKey } from "../../src/common/i18n.ts";
import { type Define, type Definition, refuseDropped } from "./commands/definition.ts";
import { describeOption, epilogue, heading } from "./commands/help.ts";
import { COMMANDS } from "./commands/table.ts";
import type { ExitCode } from "./output/exit-codes.ts";
import type { Shell } from "./session/shell.ts";

/** `reelay`, of whose commands only a line is known until one is called. */
export interface Program {
  readonly command: Command;
  /** Loads what a command takes and does, where there is one of that name. */
  define(name: string | undefined): Promise<void>;
  /** The same for every command. */
  whole(): Promise<Command>;
}

/** @param finish hears the exit code of the one command that ran */
export function makeProgram(shell: Shell, finish: (code: ExitCode) => void): Program {
  const { translate } = shell;
  const program = emptyProgram(shell);
  const loads = new Map<Command, () => Promise<Define>>();
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(translate(group as MessageKey));
    for (const { usage, summary, hidden = false, load } of commands)
      loads.set(program.command(usage, { hidden }).description(translate(summary)), load);
  }

  const whole = async () => {
    for (const command of program.commands) await define(command);
    return program;
  };
  const definition: Definition = { shell, finish, wholeProgram: whole };
  async function define(command: Command): Promise<void> {
    const load = loads.get(command);
    if (!load) return;
    loads.delete(command);
    await (
      await load()
    )(command, definition);
    refuseDropped(command);
  }

  program.hook("preSubcommand", (_program, command) => define(command));
  program.helpCommand("help [command]", translate("cli.flag.help"));
  return {
    command: program,
    async define(name) {
      const command = program.commands.find((one) => one.name() === name);
      if (command) await define(command);
    },
    whole,
  };
}

function emptyProgram({ io, translate }: Shell): Command {
  return new Command("reelay")
    .description(translate("cli.about"))
    .version(VERSION, "-V, --version", translate("cli.flag.version"))
    .helpOption("-h, --help", translate("cli.flag.help"))
    .configureHelp({
      styleTitle: (title) => heading(translate, title),
      optionDescription: (option) => describeOption(translate, option),
      // Every command has options and says so in its own help: in a list that only takes room.
      subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trimEnd(),
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // What is wrong with a call is said by the printer, in the person's language.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .exitOverride()
    .addHelpText("after", () => epilogue(translate));
}

/** What follows a command's name besides its options. */
function argumentsOf(command: Command): string {
  return command.usage().replaceAll(/\[(options|command)\] ?/g, "");
}
