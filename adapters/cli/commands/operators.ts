import { type Command, Option } from "commander";
import { z } from "zod";
import {
  OPERATOR_ROLES,
  operatorAddress,
  type OperatorLink,
  type OperatorRole,
  type Operators,
} from "../../../src/seam/access/operators.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { isSure } from "../input/confirm.ts";
import type { CliEvent } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { addYesFlag } from "../input/partner-flags.ts";
import { group } from "./definition.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import { CliProblem } from "../output/problems.ts";
import type { Shell } from "../session/shell.ts";

/** Whoever has the terminal: in the audit that tells what was done here from what was done on the page. */
const ME: UserId = "cli:me";

const role = z.enum(OPERATOR_ROLES);

/** Who runs Reelay. */
const COMMANDS: readonly GroupedCommand[] = [
  {
    usage: "list",
    description: "cli.operators.list",
    addFlags: noFlags,
    run: (shell) =>
      tell(shell, async (operators) => ({ event: "operators", operators: await operators.list() })),
  },
  {
    usage: "invite",
    description: "cli.operators.invite",
    addFlags: (command, translate) => {
      const option = new Option("--role <role>", translate("cli.flag.role")).choices(OPERATOR_ROLES);
      command.addOption(option.makeOptionMandatory());
    },
    run: (shell, command) =>
      tell(shell, async (operators) =>
        linkEvent(shell, await operators.invite(role.parse(command.getOptionValue("role")), ME)),
      ),
  },
  {
    usage: "link <who>",
    description: "cli.operators.link",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, async (operators) => {
        const { id } = await operators.named(whoIn(command));
        return linkEvent(shell, await operators.link(id, ME));
      }),
  },
  {
    usage: "role <who> <role>",
    description: "cli.operators.role",
    addFlags: noFlags,
    run: (shell, command) =>
      tell(shell, async (operators) => {
        const to = roleIn(command);
        const { id, role: from } = await operators.named(whoIn(command));
        return { event: "operator", operator: await operators.setRole(id, { from, to }, ME) };
      }),
  },
  {
    usage: "remove <who>",
    description: "cli.operators.remove",
    addFlags: addYesFlag,
    async run(shell, command) {
      const who = whoIn(command);
      const look = () => shell.runtime.operators((operators) => operators.named(who));
      if (!(await isSure(shell, command, who, "operator.remove.sure", look))) return EXIT.interrupted;
      return tell(shell, async (operators) => {
        const operator = await operators.named(who);
        await operators.remove(operator.id, ME);
        return { event: "operator_removed", operator };
      });
    },
  },
];

/** Defines `reelay operators`. */
export const defineOperators = group(COMMANDS);

const whoIn = ({ args: [who = ""] }: Command) => who;

/** @throws CliProblem `value_invalid` */
function roleIn({ args: [, given] }: Command): OperatorRole {
  const { data } = role.safeParse(given);
  if (data) return data;
  throw new CliProblem("value_invalid", { flag: "<role>", wanted: OPERATOR_ROLES.join(", ") });
}

/** The link is said once, where whoever asked for it reads it. */
async function linkEvent({ runtime }: Shell, made: OperatorLink): Promise<CliEvent<"operator_link">> {
  const { operator } = made;
  return { event: "operator_link", operator, url: operatorAddress(await runtime.address(), made) };
}

async function tell(
  { runtime, printer }: Shell,
  work: (operators: Operators) => Promise<CliEvent>,
): Promise<ExitCode> {
  printer.print(await runtime.operators(work));
  return EXIT.ok;
}
