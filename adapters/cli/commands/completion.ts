import type { Command } from "commander";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";

/** Which shells are told how to complete, and how. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** One of {@link SHELLS}. */
type ShellName = keyof typeof SCRIPTS;

/** The shells that can complete. */
export const SHELLS = Object.keys(SCRIPTS) as readonly ShellName[];

/** Prints how a shell completes the commands of this version, with their words in the person's language. */
export async function completion(
  { io, runtime }: Shell,
  name: ShellName,
  program: Command,
): Promise<ExitCode> {
  io.stdout.write(SCRIPTS[name](placesOf(program, runtime.commands)));
  return EXIT.ok;
}
