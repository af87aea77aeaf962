import type { Command, Option } from "commander";
import { valuesOfFlag } from "../output/listed-option.ts";

/** What follows a flag: nothing, a file, one of these, or words of one's own. */
type Follows = "nothing" | "file" | "words" | readonly string[];

/** A flag, with the few words that a shell shows beside it. */
export interface Flag {
  readonly name: string;
  readonly about: string;
  readonly follows: Follows;
}

/** One command as a shell completes it. */
export interface Place {
  /** The words that lead to it, each after a space; empty for `reelay` itself. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly Flag[];
}

/** Every command and where it stands. What is hidden from the help is not completed either. */
export function placesOf(command: Command, path = ""): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const place: Place = {
    path,
    about: brief(help.commandDescription(command)),
    commands: commands.map((one) => ({ name: one.name(), about: brief(help.subcommandDescription(one)) })),
    flags: help.visibleOptions(command).flatMap(flagsOf),
  };
  return [place, ...commands.flatMap((child) => placesOf(child, `${path} ${child.name()}`))];
}

function flagsOf(option: Option): Flag[] {
  const { long, description } = option;
  return long ? [{ name: long, about: brief(description), follows: followsOf(option) }] : [];
}

function followsOf(option: Option): Follows {
  if (!option.required) return "nothing";
  return valuesOfFlag(option) ?? (option.flags.includes("<file") ? "file" : "words");
}

/** The first words of a description: a list has no room for bounds and examples. */
function brief(description: string): string {
  return (/^[^.(\n]*/.exec(description)?.[0] ?? "").trim();
}
