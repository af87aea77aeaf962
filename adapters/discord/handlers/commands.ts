import type { CommandSpec } from "../../../src/seam/fields.ts";
import { runCommand } from "../../kit/handlers/choices.ts";
import { catalogueHandler, turnHandler } from "./browse.ts";
import { callOf, type CommandCall } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { telling } from "./platform.ts";
import { choicesOf, REPORTS } from "../commands/commands.ts";
import type { Handler, InteractionContext, ReplyContext } from "../context/context.ts";
import { collect } from "../drafts/ask.ts";
import { helpHandler } from "./help.ts";
import { pingHandler } from "./ping.ts";
import { actHandlers, staleHandler } from "./press.ts";
import { serverHandler } from "./server.ts";
import { studioHandler } from "./studio.ts";

/** Runs the core's commands. */
const commandHandler: Handler = async (context) => {
  const call = callOf(context.interaction);
  const spec = context.intake.commands.find(({ name, kind }) => kind === "command" && name === call?.name);
  if (!call || !spec) return false;
  if (needsForm(spec)) await ask(context, spec);
  else await run(context, spec, call);
  return true;
};

/** Shows what was reported in a server. The core checks who moderates it, and says so where they do not. */
const reportsHandler: Handler = async ({ interaction, intake, origin }) => {
  if (callOf(interaction)?.name !== REPORTS) return false;
  await intake.command(origin, "reports", {});
  return true;
};

/** What nobody could run with its options alone, such as what needs a key. */
function needsForm(spec: CommandSpec): boolean {
  const choices = choicesOf(spec);
  return spec.fields.some((field) => field.required && !choices.includes(field));
}

/** Runs a command that nothing was given to, or asks for what it needs. */
export async function askOrRun(context: ReplyContext, spec: CommandSpec): Promise<void> {
  if (spec.fields.some(({ required }) => required)) await ask(context, spec);
  else await context.intake.command(context.origin, spec.name, {});
}

async function ask(context: ReplyContext, { name, label, fields }: CommandSpec): Promise<void> {
  const title = { key: label };
  await collect(context, { id: name, title, fields, values: {}, submit: { key: "form.save" } });
}

const run = (context: InteractionContext, spec: CommandSpec, { options }: CommandCall) =>
  runCommand(
    context,
    spec.name,
    Object.fromEntries(choicesOf(spec).map(({ name, label }) => [name, options.get(optionName(label).name)])),
  );

/** Handlers of words and what belongs to them, in their order; the last takes every button that is left. */
export const wordHandlers: readonly Handler[] = [
  helpHandler,
  studioHandler,
  serverHandler,
  reportsHandler,
  commandHandler,
  catalogueHandler,
  turnHandler,
  pingHandler,
  ...actHandlers,
  staleHandler,
].map(telling);
