import type { Command } from "commander";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";
import { below, type Define, does } from "./definition.ts";

/** Which shells are told how to complete, and how. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** A shell that can complete. */
type ShellName = keyof typeof SCRIPTS;

/** Defines `reelay completion`, with a command for each shell. */
export const defineCompletion: Define = (command, definition) => {
  for (const name of Object.keys(SCRIPTS) as readonly ShellName[])
    does(below(command, definition, name, "cli.completion.print"), definition, async (shell) =>
      completion(shell, name, await definition.wholeProgram()),
    );
};

/** Prints how a shell completes the commands of this version, with their words in the person's language. */
async function completion({ io, runtime }: Shell, name: ShellName, program: Command): Promise<ExitCode> {
  io.stdout.write(SCRIPTS[name](placesOf(program, await runtime.commands())));
  return EXIT.ok;
}
