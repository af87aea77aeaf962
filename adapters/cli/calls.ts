import type { Command } from "commander";
import type { CommandSpec, FieldSpec } from "../../src/chat/fields.ts";
import type { Value } from "../../src/chat/values.ts";
import { agreedBy, requireAgreed } from "./agree.ts";
import { chooseDestination } from "./destination.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { valuesOf } from "./flags.ts";
import { askSecret } from "./secret.ts";
import { converse, type Delivery, type Shell } from "./session.ts";

/** Makes something: says what it costs, waits for it and saves it. */
export async function run(shell: Shell, spec: CommandSpec, command: Command): Promise<ExitCode> {
  const { io, printer, translate } = shell;
  const destination = await destinationFlags(shell, command);
  const values = await valuesOf(command, translate, spec.fields, io.cwd);
  return converse(shell, { destination, always: false }, async ({ intake, sandbox }, asker) => {
    const origin = { ...asker, agreed: agreedBy(command) };
    const quote = await intake.quote(origin, spec.name, values);
    printer.print({ event: "quote", operation: spec.name, ...quote, sandbox });
    if (command.getOptionValue("dryRun") === true) return 0;
    await requireAgreed(shell, intake, origin, { spec, values });
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
  const values = { ...(await valuesOf(command, translate, spec.fields, io.cwd)), ...secrets };
  const delivery =
    command.getOptionValue("out") === undefined
      ? here(shell)
      : { destination: await destinationFlags(shell, command), always: true };
  return converse(shell, delivery, async ({ intake }, origin) => {
    await intake.command(origin, spec.name, values);
    return 1;
  });
}

/** Presses a button. What makes or shows something answers later, so its end is waited for. */
export async function press(shell: Shell, command: Command): Promise<ExitCode> {
  const [token = ""] = command.args;
  const destination = await destinationFlags(shell, command);
  const always = command.getOptionValue("out") !== undefined;
  return converse(shell, { destination, always }, async ({ intake }, origin) => {
    await intake.act({ ...origin, agreed: agreedBy(command) }, token);
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

function destinationFlags({ io }: Shell, command: Command) {
  const { out, force = false } = command.opts<{ out?: string; force?: boolean }>();
  return chooseDestination(io.cwd, out, force);
}

/** For calls that make nothing themselves. */
function here({ io }: Shell): Delivery {
  return { destination: { folder: io.cwd, file: null, force: false }, always: false };
}
