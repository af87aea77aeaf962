import { Command } from "commander";
import { z } from "zod";
import { unknownOperation } from "../../src/seam/unknown-operation.ts";
import { VERSION } from "../../src/seam/version.ts";
import { ReelayError } from "../../src/common/errors.ts";
import type { MessageKey } from "../../src/common/i18n.ts";
import { addAgree } from "./session/agree.ts";
import { addAuditFlags, audit } from "./commands/audit.ts";
import { BLOCK_COMMANDS } from "./commands/block.ts";
import { choices, perform, press, resume, run } from "./commands/calls.ts";
import { completion, SHELLS } from "./commands/completion.ts";
import type { ExitCode } from "./output/exit-codes.ts";
import { dashed } from "./input/flag-help.ts";
import { addFlags } from "./input/flags.ts";
import type { GroupedCommand } from "./commands/grouped.ts";
import { aboutOf, epilogue, heading, summaryOf } from "./commands/help.ts";
import { addNumber } from "./input/numbers.ts";
import { addShards, doctor, link, mcp, rotateSecret, sandbox, shard, start } from "./commands/operate.ts";
import { jobs } from "./commands/jobs.ts";
import { PARTNER_COMMANDS } from "./commands/partner.ts";
import { schema } from "./commands/schema.ts";
import type { Shell } from "./session/shell.ts";
import { addUsageFlags, usage } from "./commands/usage.ts";
import { WEBHOOK_COMMANDS } from "./commands/webhooks.ts";

/** The command whose standard output belongs to a protocol. */
export const MCP = "mcp";

/** Adds the flags of a command. */
type AddFlags = (command: Command) => void;

/**
 * Every command with its flags and help. Commands of the core and their flags are derived from its
 * descriptions, so nothing has to be opened for `--help`.
 * @param finish hears the exit code of the one command that ran
 */
export function makeProgram(shell: Shell, finish: (code: ExitCode) => void): Command {
  const { translate, runtime, io } = shell;
  const program = new Command("reelay")
    .description(translate("cli.about"))
    .version(VERSION, "-V, --version", translate("cli.flag.version"))
    .helpOption("-h, --help", translate("cli.flag.help"))
    .configureHelp({
      styleTitle: (title) => heading(translate, title),
      // Every command has options and says so in its own help: in a list that only takes room.
      subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trimEnd(),
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // What is wrong with a call is said by the printer, in the person's language.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .exitOverride()
    .addHelpText("after", () => epilogue(translate));

  /** A command that does something; every one takes `--json`. */
  const add = (
    parent: Command,
    name: string,
    description: MessageKey,
    action: (command: Command) => Promise<ExitCode>,
    addOwnFlags: AddFlags = () => {},
  ): Command => {
    const command = parent.command(name).description(translate(description));
    addOwnFlags(command);
    return command
      .option("--json", translate("cli.flag.json"))
      .action(async () => finish(await action(command)));
  };
  /** A command that only holds others. */
  const group = (name: string, description: MessageKey) =>
    program.command(name).description(translate(description)).helpCommand(false);
  /** Where what comes of it goes. */
  const addPlace = (command: Command, about: MessageKey) =>
    command.option("--out <file>", translate(about)).option("--force", translate("cli.flag.force"));
  const addOut: AddFlags = (command) => {
    command.optionsGroup(translate("cli.help.outcome"));
    addPlace(command, "cli.flag.out");
    addAgree(command, translate);
  };

  const operations = runtime.commands.filter(({ kind }) => kind === "operation");
  // The core's help is about a chat; here `--help` takes its place.
  const others = runtime.commands.filter(({ kind, name }) => kind === "command" && name !== "help");

  const names = operations.map(({ name }) => name);

  program.commandsGroup(translate("cli.help.make"));
  const runs = ofOperations(group("run", "cli.run"), names).addHelpText(
    "after",
    `\n${translate("cli.help.about_run")}`,
  );
  for (const spec of operations) {
    if (spec.result) runs.commandsGroup(translate(`cli.makes.${spec.result}s`));
    const addAll: AddFlags = (command) => {
      addFlags(command, translate, spec);
      addOut(command);
      command.option("--dry-run", translate("cli.flag.dry_run"));
    };
    add(runs, spec.name, spec.description, (self) => run(shell, spec, self), addAll)
      .summary(summaryOf(translate, spec))
      .description(aboutOf(translate, spec));
  }
  const listings = ofOperations(group("choices", "cli.choices"), names);
  for (const spec of operations) {
    const fields = spec.fields.filter(({ control }) => control === "catalogue");
    if (fields.length === 0) continue;
    const listing = listings
      .command(spec.name)
      .description(translate(spec.description))
      .summary(fields.map(({ name }) => dashed(name)).join(", "))
      .helpCommand(false);
    for (const field of fields) {
      const list = (self: Command) => choices(shell, spec, field, self);
      const command = add(listing, `${dashed(field.name)} [search]`, field.label, list);
      if (field.within !== undefined) command.requiredOption("--of <id>", translate("cli.flag.of"));
    }
  }
  add(program, "resume", "cli.resume", () => resume(shell));
  add(program, "press <token>", "cli.press", (self) => press(shell, self), addOut);

  program.commandsGroup(translate("cli.help.account"));
  for (const spec of others) {
    const addAll: AddFlags = (command) => {
      addFlags(command, translate, spec);
      // The one that gives a file.
      if (spec.name === "export") addPlace(command, "cli.flag.out_file");
      // The one that asks for nothing but a statement.
      if (spec.name === "adult") addAgree(command, translate);
    };
    const act = spec.name === "jobs" ? jobs : perform;
    add(program, spec.name, spec.description, (self) => act(shell, spec, self), addAll);
  }

  program.commandsGroup(translate("cli.help.operate"));
  const server = add(program, "start", "cli.start", (self) => start(shell, self));
  addShards(server, translate("cli.flag.shards"));
  // Only a server's own processes are to be run by it.
  program.command("shard", { hidden: true }).action(async () => finish(await shard(shell)));
  const agent = add(program, MCP, "cli.mcp", (self) => mcp(shell, self));
  agent.option("--config", translate("cli.flag.config"));
  const completions = group("completion", "cli.completion");
  for (const name of SHELLS)
    add(completions, name, "cli.completion.print", () => completion(shell, name, program));
  add(program, "schema", "cli.schema", () => schema(shell));
  add(program, "doctor", "cli.doctor", () => doctor(shell));
  add(
    program,
    "usage",
    "cli.sums",
    (self) => usage(shell, self),
    (self) => addUsageFlags(self, shell),
  );
  add(
    program,
    "audit",
    "cli.audit",
    (self) => audit(shell, self),
    (self) => addAuditFlags(self, shell),
  );
  add(program, "link", "cli.link", () => link(shell));
  const secret = group("secret", "cli.secret");
  add(secret, "rotate", "cli.secret.rotate", () => rotateSecret(shell));
  /** Adds the commands of a group. */
  const addAllTo = (parent: Command, commands: readonly GroupedCommand[]) => {
    for (const { usage, description, addFlags, run } of commands) {
      const addOwnFlags: AddFlags = (self) => addFlags(self, translate);
      add(parent, usage, description, (self) => run(shell, self), addOwnFlags);
    }
  };
  addAllTo(group("block", "cli.block"), BLOCK_COMMANDS);
  addAllTo(group("partner", "cli.partner"), PARTNER_COMMANDS);
  addAllTo(group("webhooks", "cli.webhooks"), WEBHOOK_COMMANDS);
  const emulator = add(program, "sandbox", "cli.sandbox.command", (self) => sandbox(shell, self));
  addNumber(emulator, "--port", translate("cli.flag.port"), z.int().min(0).max(65_535), 9300);
  addNumber(emulator, "--time-scale", translate("cli.flag.time_scale"), z.number().min(0.001), 1);
  addNumber(emulator, "--fail-rate", translate("cli.flag.fail_rate"), z.number().min(0).max(1), 0);
  addNumber(emulator, "--seed", translate("cli.flag.seed"), z.int());
  return program.helpCommand("help [command]", translate("cli.flag.help"));
}

/** Lets a command whose own commands are operations, and perhaps their fields, say so of one that there is not. */
function ofOperations(command: Command, names: readonly string[]): Command {
  return command.exitOverride((error) => {
    const unknown = /'([^']*)'/.exec(error.message)?.[1];
    if (error.code !== "commander.unknownCommand" || unknown === undefined) throw error;
    const isField = names.includes(command.args[0] ?? "");
    throw isField ? new ReelayError("field_unknown", { name: unknown }) : unknownOperation(unknown, names);
  });
}

/** What follows a command's name besides its options. */
function argumentsOf(command: Command): string {
  return command.usage().replaceAll(/\[(options|command)\] ?/g, "");
}
