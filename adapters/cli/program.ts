import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { Command } from "commander";
import { z } from "zod";
import type { MessageKey, Translate } from "../../src/i18n.ts";
import { choices, perform, press, resume, run } from "./calls.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { addFlags, dashed } from "./flags.ts";
import { addNumber, doctor, link, rotateSecret, sandbox, start } from "./operate.ts";
import type { Shell } from "./session.ts";

const EXAMPLES = [
  'reelay run video --image photo.jpg --prompt "slow zoom" --out clip.mp4',
  "reelay choices video template dance",
  "reelay jobs",
] as const;

/**
 * Every command with its flags and help. Commands of the core and their flags are derived from its
 * descriptions, so nothing has to be opened for `--help`.
 * @param finish hears the exit code of the one command that ran
 */
export function makeProgram(shell: Shell, finish: (code: ExitCode) => void): Command {
  const { translate, runtime, io } = shell;
  const program = new Command("reelay")
    .description(translate("cli.about"))
    .version(version(), "-V, --version", translate("cli.flag.version"))
    .helpOption("-h, --help", translate("cli.flag.help"))
    .helpCommand("help [command]", translate("cli.flag.help"))
    .configureHelp({ styleTitle: (title) => heading(translate, title) })
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
  ): Command => {
    const command = parent.command(name).description(translate(description));
    return command
      .option("--json", translate("cli.flag.json"))
      .action(async () => finish(await action(command)));
  };
  /** Where a result goes. */
  const addOut = (command: Command) =>
    command.option("--out <file>", translate("cli.flag.out")).option("--force", translate("cli.flag.force"));

  const operations = runtime.commands.filter(({ kind }) => kind === "operation");
  // The core's help is about a chat; here `--help` takes its place.
  const others = runtime.commands.filter(({ kind, name }) => kind === "command" && name !== "help");

  add(program, "start", "cli.start", () => start(shell));
  const runs = program.command("run").description(translate("cli.run"));
  for (const spec of operations) {
    const command = add(runs, spec.name, spec.description, (self) => run(shell, spec, self));
    addFlags(command, translate, spec);
    addOut(command).option("--dry-run", translate("cli.flag.dry_run"));
  }
  add(program, "resume", "cli.resume", () => resume(shell));
  const listings = program.command("choices").description(translate("cli.choices"));
  for (const spec of operations) {
    const listing = listings.command(spec.name).description(translate(spec.description));
    for (const field of spec.fields.filter(({ control }) => control === "catalogue")) {
      const command = add(listing, `${dashed(field.name)} [search]`, field.label, (self) =>
        choices(shell, spec, field, self),
      );
      if (field.within !== undefined) command.requiredOption("--of <id>", translate("cli.flag.of"));
    }
  }
  for (const spec of others) {
    addFlags(
      add(program, spec.name, spec.description, (self) => perform(shell, spec, self)),
      translate,
      spec,
    );
  }
  addOut(add(program, "press <token>", "cli.press", (self) => press(shell, self)));
  add(program, "doctor", "cli.doctor", () => doctor(shell));
  add(program, "link", "cli.link", () => link(shell));
  const secret = program.command("secret").description(translate("cli.secret"));
  add(secret, "rotate", "cli.secret.rotate", () => rotateSecret(shell));
  const emulator = add(program, "sandbox", "cli.sandbox.command", (self) => sandbox(shell, self));
  addNumber(emulator, "--port", translate("cli.flag.port"), z.int().min(0).max(65_535), 9300);
  addNumber(emulator, "--time-scale", translate("cli.flag.time_scale"), z.number().positive(), 1);
  addNumber(emulator, "--fail-rate", translate("cli.flag.fail_rate"), z.number().min(0).max(1), 0);
  addNumber(emulator, "--seed", translate("cli.flag.seed"), z.int());
  return program;
}

function epilogue(translate: Translate): string {
  const codes = Object.values(EXIT).map(
    (code) => `  ${String(code).padEnd(4)} ${translate(`cli.exit.${code}`)}`,
  );
  return [
    "",
    translate("cli.help.examples"),
    ...EXAMPLES.map((example) => `  ${example}`),
    "",
    translate("cli.help.exit_codes"),
    ...codes,
  ].join("\n");
}

const HEADINGS: Readonly<Record<string, MessageKey>> = {
  "Usage:": "cli.help.usage",
  "Arguments:": "cli.help.arguments",
  "Options:": "cli.help.options",
  "Commands:": "cli.help.commands",
};

function heading(translate: Translate, title: string): string {
  const key = HEADINGS[title];
  return key ? translate(key) : title;
}

function version(): string {
  const path = findPackageJSON(import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(path ?? "", "utf8"));
  return version;
}
