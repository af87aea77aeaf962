import { constants } from "node:os";
import { CommanderError } from "commander";
import type { Runtime } from "../../src/seam/surface/runtime.ts";
import { ConfigError } from "../../src/common/config-error.ts";
import { type Locale, nearestLocale, translator, withoutSent } from "../../src/common/i18n.ts";
import type { CliEvent } from "./output/events.ts";
import { EXIT, type ExitCode } from "./output/exit-codes.ts";
import { type Io, listenForLoss, processIo } from "./output/io.ts";
import { jsonPrinter, textPrinter } from "./output/printer.ts";
import { problemOf, systemReason } from "./output/problems.ts";
import { OUTPUT } from "./output/text.ts";
import { BACKUP, MCP } from "./commands/table.ts";
import { makeProgram } from "./program.ts";
import type { Shell } from "./session/shell.ts";

/** What writing to a closed output would have told. */
const CLOSED: NodeJS.ErrnoException = Object.assign(new Error("EBADF"), {
  errno: -constants.errno.EBADF,
  code: "EBADF",
});

/**
 * Runs one command.
 * @param argv what follows `reelay`
 * @param io the process's streams and signals
 * @returns the exit code, one of {@link EXIT}; nothing is thrown
 */
export async function runCli(
  argv: readonly string[],
  runtime: Runtime,
  io: Io = processIo(),
): Promise<number> {
  let last: CliEvent | undefined;
  const shell = makeShell(argv, runtime, io, (event) => {
    last = event;
  });
  const lossOf = listenForLoss(io);
  let code: ExitCode = EXIT.ok;
  const program = makeProgram(shell, (exit) => {
    code = exit;
  });
  try {
    // Commander shows the help of a command without saying so before.
    if (argv[0] === "help") await program.define(argv[1]);
    await program.command.parseAsync([...argv], { from: "user" });
  } catch (error) {
    code = await report(shell, error);
  } finally {
    shell.printer.close();
  }
  const lost = (await lossOf()) ?? (io.isClosed?.() ? CLOSED : undefined);
  if (lost === undefined) return code;
  const { callAgain } = await import("./session/call-again.ts");
  const call = last && callAgain(last, argv);
  // Whoever reads may leave early (`| head`) or not be there, but for what is not shown again.
  if ((lost.code === "EPIPE" || lost === CLOSED) && call === undefined) return code;
  const { printer, translate } = shell;
  printer.aside(translate("cli.output_lost", { reason: systemReason(lost) }));
  if (call !== undefined) printer.aside(translate("cli.output_lost.again", { call }));
  return code === EXIT.ok ? EXIT.failed : code;
}

/** @param hear hears of each event that is printed */
function makeShell(
  argv: readonly string[],
  runtime: Runtime,
  io: Io,
  hear: (event: CliEvent) => void,
): Shell {
  const locale = localeOf(runtime, io);
  const translate = maySend(argv) ? translator(locale) : withoutSent(translator(locale));
  // Looked at before the flags are parsed: a mistake among them is to be said the same way.
  const wanted = argv.includes("--json");
  // What goes out there is not for people: an agent's protocol, or a backup.
  const isTaken = argv[0] === MCP || (argv[0] === BACKUP && argv.includes(OUTPUT));
  const json = !isTaken && (wanted || (!io.stdout.isTTY && !argv.includes("--csv")));
  const printer = json
    ? jsonPrinter(io, translate, wanted)
    : textPrinter(isTaken ? { stdout: io.stderr, stderr: io.stderr } : io, translate);
  const print = (event: CliEvent) => {
    hear(event);
    printer.print(event);
  };
  return { io, runtime, locale, translate, json, printer: { ...printer, print } };
}

/** Whether a call makes something, if nothing is in the way. */
function maySend([command = "", ...rest]: readonly string[]): boolean {
  return command === "press" || (command === "run" && !rest.includes("--dry-run"));
}

function localeOf(runtime: Runtime, { env }: Io): Locale {
  try {
    // It may name the language.
    runtime.loadEnvironment();
  } catch {
    // What is wrong with the file is said by the command that needs its settings; the help needs none.
  }
  const { REELAY_LOCALE, LC_ALL, LC_MESSAGES, LANG } = env;
  return nearestLocale([REELAY_LOCALE, LC_ALL, LC_MESSAGES, LANG].find(Boolean));
}

async function report({ printer, translate, runtime }: Shell, error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  // Half a command, such as `reelay run`: its help has been shown.
  if (error instanceof CommanderError && error.code === "commander.help") return EXIT.refused;
  if (error instanceof ConfigError) {
    printer.print({ event: "settings", mistakes: error.mistakes });
    return EXIT.settings;
  }
  // What is wrong with the settings is told by whoever needs them.
  const problem = problemOf(translate, await runtime.asKnown(error).catch(() => error));
  printer.print(problem);
  return problem.exitCode;
}
