import type { CommandSpec, CommandTraits } from "../../seam/fields.ts";
import { fieldsOf } from "../operations/fields.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { balance } from "../commands/balance.ts";
import type { Command } from "../commands/command.ts";
import { connect, disconnect, reconnect } from "../commands/connect.ts";
import { deleteAll, deleteAllHere, deleteAllNow } from "../commands/own-data/delete-all.ts";
import { exportData } from "../commands/own-data/export.ts";
import { forget, forgetAll, forgetNow } from "../commands/own-data/forget.ts";
import { generateCommand } from "../commands/generate.ts";
import { goOn } from "../commands/buttons/go-on.ts";
import { group, groupConnect, groupDisconnect } from "../commands/groups.ts";
import { help } from "../commands/help.ts";
import {
  again,
  askDelete,
  cancel,
  change,
  deleteHere,
  deleteNow,
  details,
  instead,
  newSeed,
} from "../commands/buttons/job-buttons.ts";
import { jobs } from "../commands/jobs.ts";
import { block, reports, restore, review, settle, unblock, withhold } from "../commands/moderate.ts";
import { privacy } from "../commands/own-data/privacy.ts";
import { report } from "../commands/report.ts";
import { language, settings } from "../commands/settings.ts";
import { adult, agree } from "../commands/statements.ts";
import { sendToChat, show, showHere } from "../commands/buttons/show.ts";
import { stats } from "../commands/stats.ts";
import { withdraw } from "../commands/own-data/withdraw.ts";

/** Everything that can be asked for, in the order in which it is offered. */
export const COMMANDS: readonly Command[] = [
  ...OPERATIONS.map(generateCommand),
  balance,
  jobs,
  stats,
  connect,
  disconnect,
  settings,
  language,
  adult,
  deleteAll,
  privacy,
  exportData,
  withdraw,
  forget,
  help,
  again,
  newSeed,
  change,
  details,
  instead,
  goOn,
  cancel,
  show,
  showHere,
  sendToChat,
  reconnect,
  askDelete,
  deleteNow,
  deleteHere,
  deleteAllNow,
  deleteAllHere,
  forgetNow,
  forgetAll,
  agree,
  group,
  groupConnect,
  groupDisconnect,
  report,
  reports,
  review,
  withhold,
  restore,
  settle,
  block,
  unblock,
];

/** The same as plain data, as far as everybody may use it: what every platform publishes in its own way. */
export const COMMAND_SPECS: readonly CommandSpec[] = COMMANDS.filter(
  ({ kind }) => kind === "operation" || kind === "command",
).map(specOf);

/** The same for whoever runs Reelay, on the page and the command line. */
export const OPERATOR_SPECS: readonly CommandSpec[] = COMMANDS.filter(({ kind }) => kind === "operator").map(
  specOf,
);

/** The core's buttons, as far as platforms treat them in a way of their own. */
export const BUTTONS: ReadonlyMap<string, CommandTraits> = new Map(
  COMMANDS.flatMap(({ kind, name, traits }) => (kind === "button" && traits ? [[name, traits]] : [])),
);

function specOf({
  name,
  label,
  description,
  kind,
  result,
  subscription,
  agreement,
  traits,
  schema,
}: Command): CommandSpec {
  return {
    name,
    label,
    description,
    kind: kind === "operation" ? kind : "command",
    ...(result && { result }),
    ...(subscription && { subscription }),
    ...(agreement && { agreement }),
    ...traits,
    fields: fieldsOf(schema),
  };
}
