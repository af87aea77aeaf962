import { type Command, Option } from "commander";
import { z } from "zod";
import { type Dimension, DIMENSIONS, MEASURES } from "../../../src/seam/access/usage.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { usernameNamed } from "../../../src/seam/access/partners.ts";
import { addDates } from "../output/dates.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { CliProblem } from "../output/problems.ts";
import type { Shell } from "../session/shell.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type Define, does, operationNames } from "./definition.ts";

const usageFlags = z.object({
  by: z.array(z.enum(DIMENSIONS)),
  since: z.string().optional(),
  until: z.string().optional(),
  platform: z.string().optional(),
  username: z.string().optional(),
  operation: z.string().optional(),
  csv: z.boolean().default(false),
});

/** Defines `reelay usage`. */
export const defineUsage: Define = async (command, definition) => {
  const { shell } = definition;
  addUsageFlags(command, shell.translate, await operationNames(shell));
  does(command, definition, usage);
};

/** Sums what was made. */
async function usage({ io, runtime, printer }: Shell, command: Command): Promise<ExitCode> {
  const { csv, ...query } = usageFlags.parse(command.opts());
  const rows = await runtime.usage(query);
  const columns = [...query.by, ...MEASURES];
  if (csv) io.stdout.write(csvOf([columns, ...rows.map((row) => columns.map((name) => row[name]))]));
  else printer.print({ event: "usage", by: query.by, rows });
  return EXIT.ok;
}

/** Adds what is summed, by what, and how it is shown. */
function addUsageFlags(command: Command, translate: Translate, operations: readonly string[]): void {
  const by = new Option(`--by <${DIMENSIONS.join(",")}>`, translate("cli.flag.by"));
  command.addOption(by.argParser(dimensionsOf).default(["platform", "operation"], "platform,operation"));
  addDates(command, translate);
  command
    .option("--platform <name>", translate("cli.flag.platform"))
    .option("--username <name>", translate("cli.flag.username"), usernameNamed)
    .addOption(new Option("--operation <name>", translate("cli.flag.operation")).choices(operations))
    .addOption(new Option("--csv", translate("cli.flag.csv")).conflicts("json"));
}

/** @throws CliProblem `value_invalid` */
function dimensionsOf(text: string): Dimension[] {
  const names = z.array(z.enum(DIMENSIONS)).safeParse(text.split(","));
  if (!names.success || new Set(names.data).size < names.data.length)
    throw new CliProblem("value_invalid", { flag: "--by", wanted: DIMENSIONS.join(", ") });
  return names.data;
}
