import type { Command } from "commander";
import { z } from "zod";
import type { MoveRefused } from "../../../src/seam/surface/runtime.ts";
import type { CliCode } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { CliProblem } from "../output/problems.ts";
import { movingFilesLine } from "../output/text.ts";
import { leavingAtOnce } from "../session/interruptible.ts";
import type { Shell } from "../session/shell.ts";
import { type Define, does } from "./definition.ts";

const WHY: Readonly<Record<MoveRefused["refused"], CliCode>> = {
  missing: "nothing_to_move",
  running: "still_running",
  not_empty: "database_in_use",
  in_use: "folder_in_use",
  moved: "moved_away",
  no_room: "no_room",
  under_way: "move_under_way",
};

const flags = z.object({
  to: z.string().optional(),
  back: z.boolean().default(false),
  files: z.string().optional(),
});

/** Defines `reelay move`. */
export const defineMove: Define = (command, definition) => {
  const { translate } = definition.shell;
  does(command, definition, (shell, call) => leavingAtOnce(shell, () => move(shell, call)))
    .option("--to <address>", translate("cli.flag.move_to"))
    .option("--back", translate("cli.flag.move_back"))
    .option("--files <place>", translate("cli.flag.move_files"));
};

/** Moves everything that is kept between SQLite and PostgreSQL, or files to another place, and says how far it is. */
async function move({ runtime, printer, translate }: Shell, command: Command): Promise<ExitCode> {
  const { to, back, files } = flags.parse(command.opts());
  if ([to !== undefined, back, files !== undefined].filter(Boolean).length !== 1)
    throw new CliProblem("move_where");
  if (files !== undefined) {
    const outcome = await runtime.moveFiles(files, (progress) =>
      printer.meanwhile(movingFilesLine(translate, progress)),
    );
    if ("refused" in outcome) throw refused(outcome);
    printer.print({ event: "moved_files", ...outcome });
    return outcome.damaged.length > 0 ? EXIT.failed : EXIT.ok;
  }
  const outcome = await runtime.move(to, (progress) => printer.print({ event: "moving", ...progress }));
  if ("refused" in outcome) throw refused(outcome);
  printer.print({ event: "moved", ...outcome });
  return EXIT.ok;
}

function refused({ refused: why, place, count = 0, bytes = 0 }: MoveRefused): CliProblem {
  return new CliProblem(WHY[why], { path: place, count, megabytes: Math.ceil(bytes / 1e6) });
}
