import type { Command } from "commander";
import { z } from "zod";
import type { SafetyAdmin } from "../../../src/seam/access/safety.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { subjectNamed } from "../../../src/seam/access/subjects.ts";
import type { UserId } from "../../../src/seam/values.ts";
import type { CliEvent } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { group } from "./definition.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import type { Shell } from "../session/shell.ts";

/** Who is blocked. */
const COMMANDS: readonly GroupedCommand[] = [
  {
    usage: "add <who>",
    description: "cli.block.add",
    addFlags: (command, translate) => {
      command.option("--reason <words>", translate("cli.flag.reason"));
    },
    run: (shell, command) =>
      tell(shell, async (desk) => {
        const reason = z.string().optional().parse(command.getOptionValue("reason"));
        return { event: "blocked", block: await desk.block(subjectOf(command), reason) };
      }),
  },
  {
    usage: "remove <who>",
    description: "cli.block.remove",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, async (desk) => {
        const subject = subjectOf(command);
        return { event: "unblocked", subject, was: await desk.unblock(subject) };
      }),
  },
  {
    usage: "list",
    description: "cli.block.list",
    addFlags: noFlags,
    run: (shell) => tell(shell, async (desk) => ({ event: "blocks", blocks: await desk.blocks() })),
  },
];

/** Defines `reelay block`. */
export const defineBlock = group(COMMANDS);

/** Whom a command is about. @throws ReelayError `not_a_person` */
function subjectOf(command: Command): UserId {
  const [who = ""] = command.args;
  const subject = subjectNamed(who);
  if (subject === undefined) throw new ReelayError("not_a_person", { who });
  return subject;
}

async function tell(
  { runtime, printer }: Shell,
  work: (desk: SafetyAdmin) => Promise<CliEvent>,
): Promise<ExitCode> {
  printer.print(await runtime.safety(work));
  return EXIT.ok;
}
