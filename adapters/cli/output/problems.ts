import { getSystemErrorMessage } from "node:util";
import { CommanderError, type Option } from "commander";
import { say, sayProblem } from "../../../src/seam/text/say.ts";
import { type Params, ReelayError, repeatable, repeatableParams } from "../../../src/common/errors.ts";
import { hasMessage, type Translate } from "../../../src/common/i18n.ts";
import { ListedOption, valuesOfFlag } from "./listed-option.ts";
import type { CliCode, CliEvent } from "./events.ts";
import { EXIT, EXIT_OF, type ExitCode } from "./exit-codes.ts";

const EXIT_OF_CLI: Readonly<Record<CliCode, ExitCode>> = {
  usage: EXIT.refused,
  file_missing: EXIT.refused,
  file_unreadable: EXIT.refused,
  not_a_file: EXIT.refused,
  file_exists: EXIT.refused,
  folder_missing: EXIT.refused,
  name_unusable: EXIT.refused,
  folder_gone: EXIT.refused,
  not_confirmed: EXIT.refused,
  unconfirmed: EXIT.refused,
  not_agreed: EXIT.refused,
  declined: EXIT.refused,
  file_not_saved: EXIT.unsaved,
  not_saved: EXIT.unsaved,
  over_already: EXIT.refused,
  port_taken: EXIT.failed,
  unexpected: EXIT.failed,
  value_invalid: EXIT.refused,
  nothing_kept: EXIT.refused,
  folder_in_use: EXIT.refused,
  kept_in_postgres: EXIT.refused,
  not_a_backup: EXIT.refused,
  backup_inside: EXIT.refused,
  backup_at_terminal: EXIT.refused,
  backup_under_way: EXIT.refused,
  backup_not_saved: EXIT.failed,
  restore_not_saved: EXIT.failed,
  backup_moved: EXIT.refused,
  secret_in_use: EXIT.refused,
  move_where: EXIT.refused,
  nothing_to_move: EXIT.refused,
  still_running: EXIT.refused,
  database_in_use: EXIT.refused,
  moved_away: EXIT.refused,
  no_room: EXIT.refused,
  move_under_way: EXIT.refused,
};

/** What only the command line can refuse. */
export class CliProblem extends Error {
  override readonly name = "CliProblem";
  readonly code: CliCode;
  readonly params: Params;

  constructor(code: CliCode, params: Params = {}, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.params = repeatableParams(params);
  }
}

/** What commander refuses of one option. */
export class OptionMistake extends CommanderError {
  readonly option: Option;

  constructor({ exitCode, code, message }: CommanderError, option: Option) {
    super(exitCode, code, message);
    this.option = option;
  }
}

/** What was thrown, as a sentence with its exit code. */
export function problemOf(translate: Translate, thrown: unknown): CliEvent<"problem"> {
  if (thrown instanceof ReelayError && thrown.code !== "internal") {
    const { code, params } = thrown;
    const text = sayProblem(translate, thrown);
    return { event: "problem", code, params, text, charged: 0, exitCode: EXIT_OF[code], actions: [] };
  }
  if (thrown instanceof CommanderError) {
    const refused = refusedChoice(thrown);
    if (refused) return ownProblem(translate, refused);
    const { mistake, what, text } = usageMistake(translate, thrown);
    return { ...ownProblem(translate, new CliProblem("usage", { mistake, what })), text };
  }
  return ownProblem(translate, thrown instanceof CliProblem ? thrown : unexpected(thrown));
}

/** What the system says that went wrong, without the path: it may be one that nobody asked for. */
export function systemReason({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/** A refusal of the command line as an event. */
export function ownProblem(translate: Translate, { code, params }: CliProblem): CliEvent<"problem"> {
  const text = say(translate, { key: `cli.problem.${code}`, params });
  return { event: "problem", code, params, text, charged: 0, exitCode: EXIT_OF_CLI[code], actions: [] };
}

function unexpected(thrown: unknown): CliProblem {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if ("code" in error && error.code === "EADDRINUSE") {
    return new CliProblem("port_taken", { port: "port" in error ? String(error.port) : "" });
  }
  if ("syscall" in error && error.syscall === "uv_cwd") return new CliProblem("folder_gone");
  return new CliProblem("unexpected", { reason: error.message }, { cause: error });
}

/** What commander itself refuses of values: those that are not among the choices of a flag. */
function refusedChoice({ code, message }: CommanderError): CliProblem | undefined {
  if (code !== "commander.invalidArgument") return undefined;
  const flag = /'([^' ]*)/.exec(message)?.[1] ?? "";
  const wanted = /Allowed choices are ([^']+)\.$/.exec(message)?.[1] ?? "wanted.other";
  return new CliProblem("value_invalid", { flag, wanted });
}

/**
 * A mistake in the call, in the person's language. Only the name of a flag is repeated, never its value:
 * somebody may have tried `--key=…`.
 */
function usageMistake(translate: Translate, thrown: CommanderError) {
  const { code, message } = thrown;
  const mistake = code.replace("commander.", "");
  const key = `cli.usage.${mistake}`;
  const what = repeatable(/'([^'=]*)/.exec(message)?.[1] ?? "");
  const meant = /\(Did you mean (?:one of )?(.+)\?\)/.exec(message)?.[1];
  const said = [
    translate(hasMessage(key) ? key : "cli.problem.usage", { what }),
    ...(meant === undefined ? [] : [translate("cli.usage.meant", { meant })]),
    ...(thrown instanceof OptionMistake ? whatCanBeGiven(translate, thrown) : []),
  ];
  return { mistake, what, text: said.join(" ") };
}

/** What a flag takes, where its value is what is missing. */
function whatCanBeGiven(translate: Translate, { code, option }: OptionMistake): readonly string[] {
  if (!code.endsWith("optionMissingArgument") && !code.endsWith("missingMandatoryOptionValue")) return [];
  const values = valuesOfFlag(option);
  if (values) return [translate("cli.usage.values", { values: values.join(", ") })];
  const command = option instanceof ListedOption ? option.listedBy : undefined;
  return command === undefined ? [] : [translate("cli.usage.listed", { command })];
}
