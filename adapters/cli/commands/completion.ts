import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import { EXIT } from "../output/exit-codes.ts";
import { below, type Define, does } from "./definition.ts";

/** Which shells are told how to complete, and how. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** A shell that can complete. */
type ShellName = keyof typeof SCRIPTS;

/** Defines `reelay completion`, with a command for each shell: it prints how that completes the commands of this version. */
export const defineCompletion: Define = (command, definition) => {
  for (const name of Object.keys(SCRIPTS) as readonly ShellName[])
    does(below(command, definition, name, "cli.completion.print"), definition, async ({ io }) => {
      io.stdout.write(SCRIPTS[name](placesOf(await definition.wholeProgram())));
      return EXIT.ok;
    });
};
