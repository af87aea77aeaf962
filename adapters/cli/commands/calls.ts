import type { Command } from "commander";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import type { Value } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { agreedBy, requireAgreed } from "../session/agree.ts";
import { chooseDestination } from "../input/destination.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { valuesOf } from "../input/flags.ts";
import { askSecret } from "../input/secret.ts";
import { type CallFlags, converse } from "../session/session.ts";
import type { Shell } from "../session/shell.ts";

/** Makes something: says what it costs, waits for it and saves it. */
export async function run(shell: Shell, spec: CommandSpec, command: Command): Promise<ExitCode> {
  const { io, printer } = shell;
  const flags = { ...(await flagsOf(shell, command)), always: false };
  const values = await valuesOf(command, spec.fields, io.cwd);
  return converse(shell, flags, async ({ intake, sandbox }, origin, signal) => {
    await refuseKeyIn(intake, command);
    const [wrong] = await intake.examine(origin, spec.fields, values);
    if (wrong) throw new ReelayError(wrong.code, wrong.params);
    const { tokens, basis, balance } = await intake.quote(origin, spec.name, values);
    printer.print({ event: "quote", operation: spec.name, tokens, basis, balance, sandbox });
    if (command.getOptionValue("dryRun") === true) return 0;
    await requireAgreed(shell, intake, origin, { spec, values });
    signal.throwIfAborted();
    await intake.command(origin, spec.name, values);
    return 1;
  });
}

/** Finishes what earlier calls left open. Each job is saved where its own call wanted it. */
export function resume(shell: Shell): Promise<ExitCode> {
  return converse(shell, here(shell), async (core) => {
    const count = await core.adopt();
    shell.printer.print({ event: "resumed", count });
    return count;
  });
}

/** Any other command of the core. Its secrets are asked for before anything is opened. */
export async function perform(shell: Shell, spec: CommandSpec, command: Command): Promise<ExitCode> {
  const { io, translate } = shell;
  const secrets: Record<string, Value> = {};
  for (const field of spec.fields.filter(({ control }) => control === "secret")) {
    const secret = await askSecret(io, translate, field);
    if (secret === undefined) return EXIT.interrupted;
    secrets[field.name] = secret;
  }
  const values = { ...(await valuesOf(command, spec.fields, io.cwd)), ...secrets };
  const flags =
    command.getOptionValue("out") === undefined
      ? { ...here(shell), agreed: agreedBy(command) }
      : await flagsOf(shell, command);
  return converse(shell, flags, async ({ intake }, origin) => {
    await refuseKeyIn(intake, command);
    await intake.command(origin, spec.name, values);
    return 1;
  });
}

/** Presses a button. What makes or shows something answers later, so its end is waited for. */
export async function press(shell: Shell, command: Command): Promise<ExitCode> {
  const [token = ""] = command.args;
  const flags = { ...(await flagsOf(shell, command)), pressed: token };
  return converse(shell, flags, async ({ intake }, origin) => {
    await refuseKeyIn(intake, command);
    await intake.act(origin, token);
    return 1;
  });
}

/** Lists what a field can be chosen from. */
export function choices(
  shell: Shell,
  { name }: CommandSpec,
  field: FieldSpec,
  command: Command,
): Promise<ExitCode> {
  const [search = ""] = command.args;
  const parent = command.getOptionValue("of");
  const values = field.within === undefined ? {} : { [field.within]: String(parent) };
  return converse(shell, here(shell), async ({ intake }, origin) => {
    const found = await intake.suggest(origin, name, field.name, search, values);
    shell.printer.print({ event: "choices", choices: found });
    return 0;
  });
}

/** What a call's flags say. @throws CliProblem as `chooseDestination` */
async function flagsOf({ io }: Shell, command: Command): Promise<CallFlags> {
  const { out, force = false } = command.opts<{ out?: string; force?: boolean }>();
  const destination = await chooseDestination(io.cwd, out, force);
  return { destination, always: out !== undefined, agreed: agreedBy(command) };
}

/** For calls that make nothing themselves. */
export function here({ io }: Shell): CallFlags {
  return { destination: { folder: io.cwd, file: null, force: false }, always: false, agreed: [] };
}

/** A result keeps the name that it is to be saved under. @throws ReelayError `key_in_words` */
async function refuseKeyIn({ keys }: Intake, command: Command): Promise<void> {
  const out: unknown = command.getOptionValue("out");
  if (typeof out === "string") await keys.refuseKnown({ "--out": out });
}
