import { createReadStream } from "node:fs";
import { type Command, Option } from "commander";
import { z } from "zod";
import { ACTS, type AuditEntry, type AuditQuery } from "../../../src/seam/access/audit.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { PLATFORMS } from "../../../src/seam/values.ts";
import { usernameNamed } from "../../../src/seam/access/partners.ts";
import { digestOf } from "../../../src/infrastructure/media/files/hashed.ts";
import { addDates } from "../output/dates.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { givenFile } from "../input/given-file.ts";
import { addNumber } from "../input/numbers.ts";
import { CliProblem } from "../output/problems.ts";
import type { Shell } from "../session/shell.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type Define, does, operationNames } from "./definition.ts";

/** What is in a table, in this order. */
const COLUMNS = [
  "id",
  "at",
  "act",
  "rule",
  "user",
  "username",
  "chat",
  "surface",
  "operation",
  "job",
  "digest",
  "files",
  "content",
  "by",
] as const satisfies readonly (keyof AuditEntry)[];

/** Of a person or a group, on any platform. */
const id = z.templateLiteral([z.enum(PLATFORMS), ":", z.string().min(1)]);

const auditFlags = z.object({
  user: id.exactOptional(),
  username: z.string().exactOptional(),
  chat: id.exactOptional(),
  act: z.enum(ACTS).exactOptional(),
  operation: z.string().exactOptional(),
  job: z.string().exactOptional(),
  digest: z.string().exactOptional(),
  file: z.string().exactOptional(),
  since: z.string().exactOptional(),
  until: z.string().exactOptional(),
  before: z.number().exactOptional(),
  limit: z.number(),
  csv: z.boolean().default(false),
});

/** Defines `reelay audit`. */
export const defineAudit: Define = async (command, definition) => {
  const { shell } = definition;
  addAuditFlags(command, shell.translate, await operationNames(shell));
  does(command, definition, audit);
};

/** Shows what was decided and done about what people make. */
async function audit({ io, runtime, printer }: Shell, command: Command): Promise<ExitCode> {
  const { csv, file, since, until, ...same } = auditFlags.parse(command.opts());
  const query: AuditQuery = {
    ...same,
    ...(file !== undefined && { file: await digestOfGiven(io.cwd, file) }),
    ...(since !== undefined && { since: Date.parse(since) }),
    // Both ends are meant.
    ...(until !== undefined && { until: Date.parse(until) + DAY_MS }),
  };
  const entries = await runtime.safety((desk) => desk.audit(query));
  if (csv)
    io.stdout.write(csvOf([COLUMNS, ...entries.map((entry) => COLUMNS.map((name) => cell(entry, name)))]));
  else printer.print({ event: "audit", entries });
  return EXIT.ok;
}

const DAY_MS = 24 * 3_600_000;

function cell(entry: AuditEntry, name: (typeof COLUMNS)[number]): string | number | null {
  if (name === "at") return new Date(entry.at).toISOString();
  if (name === "files") return entry.files.join(" ");
  if (name === "content") return entry.content === null ? null : JSON.stringify(entry.content);
  return entry[name];
}

/** The digest that the audit has of a file. @throws CliProblem for what is no file that can be read */
async function digestOfGiven(cwd: string, name: string): Promise<string> {
  const { path } = await givenFile(cwd, name);
  return digestOf(createReadStream(path));
}

/** Adds which lines are sought, and how they are shown. */
function addAuditFlags(command: Command, translate: Translate, operations: readonly string[]): void {
  command
    .addOption(new Option("--user <id>", translate("cli.flag.user")).argParser(idOf("--user")))
    .option("--username <name>", translate("cli.flag.username"), usernameNamed)
    .addOption(new Option("--chat <id>", translate("cli.flag.chat")).argParser(idOf("--chat")))
    .addOption(new Option("--act <act>", translate("cli.flag.act")).choices(ACTS))
    .addOption(new Option("--operation <name>", translate("cli.flag.operation")).choices(operations))
    .option("--job <id>", translate("cli.flag.job"))
    .option("--digest <digest>", translate("cli.flag.digest"))
    .option("--file <path>", translate("cli.flag.audit_file"));
  addDates(command, translate);
  addNumber(command, "--before", translate("cli.flag.before"), z.int().min(1));
  addNumber(command, "--limit", translate("cli.flag.limit"), z.int().min(1).max(10_000), 50);
  command.addOption(new Option("--csv", translate("cli.flag.csv")).conflicts("json"));
}

/** @throws CliProblem `value_invalid`: nothing would be found, as if nothing had been done */
function idOf(flag: string) {
  return (text: string): z.output<typeof id> => {
    const read = id.safeParse(text);
    if (!read.success) throw new CliProblem("value_invalid", { flag, wanted: "wanted.id" });
    return read.data;
  };
}
