import type { Command, Option } from "commander";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { flagOf } from "../input/flag-help.ts";

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

/**
 * Every command and where it stands. What is hidden from the help is not completed either.
 * @param specs commands of the core, which know the choices of their flags
 */
export function placesOf(command: Command, specs: readonly CommandSpec[], path = ""): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const spec = specs.find(({ kind, name }) => path === (kind === "operation" ? ` run ${name}` : ` ${name}`));
  const place: Place = {
    path,
    about: brief(help.commandDescription(command)),
    commands: commands.map((one) => ({ name: one.name(), about: brief(help.subcommandDescription(one)) })),
    flags: help.visibleOptions(command).flatMap((option) => flagsOf(option, spec)),
  };
  return [place, ...commands.flatMap((child) => placesOf(child, specs, `${path} ${child.name()}`))];
}

function flagsOf(option: Option, spec: CommandSpec | undefined): Flag[] {
  const { long, description } = option;
  return long ? [{ name: long, about: brief(description), follows: followsOf(option, spec) }] : [];
}

function followsOf({ flags, long, required, argChoices }: Option, spec: CommandSpec | undefined): Follows {
  if (!required) return "nothing";
  const choices = spec?.fields.find(({ name }) => flagOf(name) === long)?.choices;
  if (choices) return choices.map(({ value }) => String(value));
  if (argChoices) return argChoices;
  return flags.includes("<file") ? "file" : "words";
}

/** The first words of a description: a list has no room for bounds and examples. */
function brief(description: string): string {
  return (/^[^.(\n]*/.exec(description)?.[0] ?? "").trim();
}
