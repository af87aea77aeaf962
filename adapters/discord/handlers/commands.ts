import type { CommandSpec } from "../../../src/chat/fields.ts";
import { browseClerk, turnClerk } from "./browse.ts";
import { callOf, type Call } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { telling } from "./telling.ts";
import { choicesOf } from "../commands/commands.ts";
import type { Clerk, Visit } from "../context/context.ts";
import { collect } from "../drafts/forms.ts";
import { helpClerk } from "./help.ts";
import { pressClerk, sureClerk } from "./press.ts";
import { serverClerk } from "./server.ts";

/** Runs the core's commands. */
const commandClerk: Clerk = async (visit) => {
  const call = callOf(visit.deed);
  const spec = visit.intake.commands.find(({ name, kind }) => kind === "command" && name === call?.name);
  if (!call || !spec) return false;
  if (needsForm(spec)) await ask(visit, spec);
  else await run(visit, spec, call);
  return true;
};

/** What nobody could run with its options alone, such as what needs a key. */
function needsForm(spec: CommandSpec): boolean {
  const choices = choicesOf(spec);
  return spec.fields.some((field) => field.required && !choices.includes(field));
}

async function ask(visit: Visit, { name, label, fields }: CommandSpec): Promise<void> {
  const title = { key: label };
  await collect(visit, visit.address, { id: name, title, fields, values: {}, submit: { key: "form.save" } });
}

async function run({ intake, origin }: Visit, spec: CommandSpec, { options }: Call): Promise<void> {
  const values = Object.fromEntries(
    choicesOf(spec).map(({ name, label }) => [name, options.get(optionName(label).name)]),
  );
  // A language that was just chosen is answered in that language.
  const { locale } = values;
  const address = { ...origin.address, ...(locale !== undefined && { locale }) };
  await intake.command({ ...origin, address }, spec.name, values);
}

/** Whoever deals with words and what belongs to them, in their order; the last takes every button that is left. */
export const wordClerks: readonly Clerk[] = [
  helpClerk,
  serverClerk,
  commandClerk,
  browseClerk,
  turnClerk,
  sureClerk,
  pressClerk,
].map(telling);
