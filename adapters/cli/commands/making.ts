import type { Command } from "commander";
import { unknownOperation } from "../../../src/seam/unknown-operation.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { addFlags } from "../input/flags.ts";
import { dashed } from "../input/flag-help.ts";
import { addOut } from "../session/outcome-flags.ts";
import { choices, press, resume, run } from "./calls.ts";
import { below, type Define, does, operationsOf } from "./definition.ts";
import { aboutOf, summaryOf } from "./help.ts";

/** Defines `reelay run`, with a command for each operation. */
export const defineRun: Define = async (runs, definition) => {
  const { translate } = definition.shell;
  const operations = await operationsOf(definition.shell);
  const names = operations.map(({ name }) => name);
  ofOperations(runs, names).addHelpText("after", `\n${translate("cli.help.about_run")}`);
  for (const spec of operations) {
    if (spec.result) runs.commandsGroup(translate(`cli.makes.${spec.result}s`));
    const command = below(runs, definition, spec.name, spec.description)
      .summary(summaryOf(translate, spec))
      .description(aboutOf(translate, spec));
    addFlags(command, translate, spec);
    addOut(command, translate);
    command.option("--dry-run", translate("cli.flag.dry_run"));
    does(command, definition, (shell, self) => run(shell, spec, self));
  }
};

/** Defines `reelay choices`, with a command for each operation's fields that a catalogue is for. */
export const defineChoices: Define = async (listings, definition) => {
  const { translate } = definition.shell;
  const operations = await operationsOf(definition.shell);
  const names = operations.map(({ name }) => name);
  ofOperations(listings, names);
  for (const spec of operations) {
    const fields = spec.fields.filter(({ control }) => control === "catalogue");
    if (fields.length === 0) continue;
    const listing = below(listings, definition, spec.name, spec.description).summary(
      fields.map(({ name }) => dashed(name)).join(", "),
    );
    for (const field of fields) {
      const command = below(listing, definition, `${dashed(field.name)} [search]`, field.label);
      does(command, definition, (shell, self) => choices(shell, spec, field, self));
      if (field.within !== undefined) command.requiredOption("--of <id>", translate("cli.flag.of"));
    }
  }
};

/** Defines `reelay resume`. */
export const defineResume: Define = (command, definition) => void does(command, definition, resume);

/** Defines `reelay press`. */
export const definePress: Define = (command, definition) => {
  addOut(command, definition.shell.translate);
  does(command, definition, press);
};

/** Lets a command whose own commands are operations, and perhaps their fields, say so of one that there is not. */
function ofOperations(command: Command, names: readonly string[]): Command {
  return command.exitOverride((error) => {
    const unknown = /'([^']*)'/.exec(error.message)?.[1];
    if (error.code !== "commander.unknownCommand" || unknown === undefined) throw error;
    const isField = names.includes(command.args[0] ?? "");
    throw isField ? new ReelayError("field_unknown", { name: unknown }) : unknownOperation(unknown, names);
  });
}
