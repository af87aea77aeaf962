import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { z } from "zod";
import { ACTS, type AuditEntry, type AuditQuery } from "../../src/chat/audit.ts";
import { csvOf } from "../../src/chat/csv.ts";
import type { SafetyDesk } from "../../src/chat/safety.ts";
import type { UserId } from "../../src/chat/values.ts";
import { addDates } from "./dates.ts";
import type { CliEvent } from "./events.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { type GroupedCommand, noFlags } from "./grouped.ts";
import { addNumber } from "./numbers.ts";
import { CliProblem } from "./problems.ts";
import type { Shell } from "./session.ts";

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
] as const satisfies readonly (keyof AuditEntry)[];

const auditFlags = z.object({
  user: z.string().optional(),
  username: z.string().optional(),
  chat: z.string().optional(),
  act: z.enum(ACTS).optional(),
  operation: z.string().optional(),
  job: z.string().optional(),
  digest: z.string().optional(),
  file: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  before: z.number().optional(),
  limit: z.number(),
  csv: z.boolean().default(false),
});

/** Shows what was decided and done about what people make. */
export async function audit({ io, runtime, printer }: Shell, command: Command): Promise<ExitCode> {
  const { csv, file, since, until, ...same } = auditFlags.parse(command.opts());
  const query = {
    ...same,
    ...(file !== undefined && { file: await digestOf(file) }),
    ...(since !== undefined && { since: Date.parse(since) }),
    // Both ends are meant.
    ...(until !== undefined && { until: Date.parse(until) + DAY_MS }),
  } as AuditQuery;
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

/** The digest that the audit has of a file. @throws CliProblem `file_missing` */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash).catch(() => {
    throw new CliProblem("file_missing", { path });
  });
  return hash.digest("hex");
}

/** Adds which lines are sought, and how they are shown. */
export function addAuditFlags(command: Command, { translate, runtime }: Shell): void {
  const operations = runtime.commands.filter(({ kind }) => kind === "operation").map(({ name }) => name);
  command
    .option("--user <id>", translate("cli.flag.user"))
    .option("--username <name>", translate("cli.flag.username"))
    .option("--chat <id>", translate("cli.flag.chat"))
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

/** Who is blocked. */
export const BLOCK_COMMANDS: readonly GroupedCommand[] = [
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

/** Whom a command is about. @throws CliProblem `usage` */
function subjectOf(command: Command): UserId {
  const [who = ""] = command.args;
  if (!/^(telegram|discord|http):[\w-]+$/.test(who)) throw new CliProblem("not_a_person", { who });
  return who as UserId;
}

async function tell(
  { runtime, printer }: Shell,
  work: (desk: SafetyDesk) => Promise<CliEvent>,
): Promise<ExitCode> {
  printer.print(await runtime.safety(work));
  return EXIT.ok;
}
