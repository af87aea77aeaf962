import { createReadStream } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { z } from "zod";
import type { BackupRefused } from "../../../src/seam/surface/runtime.ts";
import { chooseDestination } from "../input/destination.ts";
import { givenFile } from "../input/given-file.ts";
import type { CliCode } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import type { Output } from "../output/io.ts";
import { CliProblem } from "../output/problems.ts";
import { OUTPUT } from "../output/text.ts";
import { leavingAtOnce, tidyingUp } from "../session/interruptible.ts";
import type { Shell } from "../session/shell.ts";
import { type Define, does } from "./definition.ts";

const WHY: Readonly<Record<BackupRefused["refused"], CliCode>> = {
  missing: "nothing_kept",
  in_use: "folder_in_use",
  damaged: "not_a_backup",
  postgres: "kept_in_postgres",
  inside: "backup_inside",
  under_way: "backup_under_way",
  unwritten: "backup_not_saved",
  moved: "backup_moved",
  secret_in_use: "secret_in_use",
};

/** A restore writes elsewhere. */
const RESTORING: typeof WHY = { ...WHY, unwritten: "restore_not_saved", under_way: "move_under_way" };

const flags = z.object({ force: z.boolean().default(false) });

/** Defines `reelay backup`. */
export const defineBackup: Define = (command, definition) => {
  does(command, definition, backup).option("--force", definition.shell.translate("cli.flag.force"));
};

/** Puts everything that is kept into one file; without a name, into one of today in the current folder; `-` is standard output. */
async function backup(shell: Shell, command: Command): Promise<ExitCode> {
  const { runtime, printer, io } = shell;
  const { force } = flags.parse(command.opts());
  if (nameIn(command) === OUTPUT) return pour(shell);
  const { folder, file } = await chooseDestination(io.cwd, nameIn(command), force);
  const path = join(folder, file ?? `reelay-${new Date().toISOString().slice(0, 10)}.backup`);
  if (file === null) await chooseDestination(io.cwd, path, force);
  return tidyingUp(shell, async (signal) => {
    printer.print({ event: "backed_up", path, ...done(await runtime.backUp(path, signal)) });
    return EXIT.ok;
  });
}

/** Sends a backup to standard output, whole; else it fails. What is said stands on standard error. */
async function pour(shell: Shell): Promise<ExitCode> {
  const { runtime, printer, io } = shell;
  if (io.stdout.isTTY) throw new CliProblem("backup_at_terminal");
  let lost: NodeJS.ErrnoException | undefined;
  return tidyingUp(shell, async (signal) => {
    const take = async (path: string) => {
      for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        lost = await unwritten(io.stdout, piece);
        if (lost) return;
      }
    };
    const size = done(await runtime.backUpFor(take, signal));
    if (lost === undefined && !io.isClosed?.()) {
      printer.print({ event: "backed_up", path: OUTPUT, ...size });
      return EXIT.ok;
    }
    // Of everything else the end tells: whoever reads other answers may leave early.
    if (lost === undefined || lost.code === "EPIPE") printer.aside(shell.translate("cli.backed_up.cut_off"));
    return EXIT.failed;
  });
}

/** Waits until a piece is out, so that none takes memory while it waits. Returns why it is not. */
const unwritten = (output: Output, piece: Buffer) =>
  new Promise<Error | undefined>((resolve) => {
    output.write(piece, (error) => resolve(error ?? undefined));
  });

/** Defines `reelay restore`. */
export const defineRestore: Define = (command, definition) => void does(command, definition, restore);

/** Makes a data folder of a backup. */
async function restore(shell: Shell, command: Command): Promise<ExitCode> {
  const { runtime, printer, io } = shell;
  const { path } = await givenFile(io.cwd, nameIn(command) ?? "");
  return leavingAtOnce(shell, async () => {
    printer.print({ event: "restored", ...done(await runtime.restore(path), RESTORING) });
    return EXIT.ok;
  });
}

/** The name that a call gives. One without a letter is none: as a path it would be the current folder. */
function nameIn({ args: [name] }: Command): string | undefined {
  if (name === "") throw new CommanderError(EXIT.refused, "commander.missingArgument", "'file'");
  return name;
}

/** @throws CliProblem where nothing was done */
function done<T extends object>(outcome: T | BackupRefused, why = WHY): T {
  if (!("refused" in outcome)) return outcome;
  const { refused, path, place = "" } = outcome;
  throw new CliProblem(why[refused], { path, place });
}
