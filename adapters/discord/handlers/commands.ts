import type { CommandSpec } from "../../../src/seam/fields.ts";
import { runCommand } from "../../kit/handlers/choices.ts";
import { catalogueHandler, turnHandler } from "./browse.ts";
import { callOf, type CommandCall } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { telling } from "./platform.ts";
import { choicesOf, REPORTS } from "../commands/commands.ts";
import type { Handler, ReplyContext } from "../context/context.ts";
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
  await askOrRun(context, spec, call.options);
  return true;
};

/** Shows what was reported in a server. The core checks who moderates it, and says so where they do not. */
const reportsHandler: Handler = async ({ interaction, intake, origin }) => {
  if (callOf(interaction)?.name !== REPORTS) return false;
  await intake.command(origin, "reports", {});
  return true;
};

/** Runs a command with what was given to its options, or asks for what it needs besides, such as a key. */
export async function askOrRun(
  context: ReplyContext,
  spec: CommandSpec,
  options: CommandCall["options"] = new Map(),
): Promise<void> {
  const { name, label, fields } = spec;
  const given = choicesOf(spec).map(
    (field) => [field.name, options.get(optionName(field.label).name)] as const,
  );
  const values = Object.fromEntries(given);
  const isLacking = fields.some((field) => field.required && values[field.name] === undefined);
  if (!isLacking) return runCommand(context, name, values);
  const title = { key: label };
  await collect(context, { id: name, title, fields, values: {}, submit: { key: "form.save" } });
}

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
