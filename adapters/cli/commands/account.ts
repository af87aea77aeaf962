import { addFlags } from "../input/flags.ts";
import { addPlace } from "../session/outcome-flags.ts";
import { addAgree } from "../session/agree.ts";
import { perform } from "./calls.ts";
import { type Define, does } from "./definition.ts";
import { jobs } from "./jobs.ts";

/** Defines a command of the core beside operations, by what the core says of it. */
export const defineAccount: Define = async (command, definition) => {
  const { runtime, translate } = definition.shell;
  const name = command.name();
  const spec = (await runtime.commands()).find((one) => one.kind === "command" && one.name === name);
  if (!spec) throw new Error(`The core has no command ${name}`);
  addFlags(command, translate, spec);
  // The one that gives a file.
  if (name === "export") addPlace(command, translate, "cli.flag.out_file");
  // The one that asks for nothing but a statement.
  if (name === "adult") addAgree(command, translate);
  const act = name === "jobs" ? jobs : perform;
  does(command, definition, (shell, self) => act(shell, spec, self));
};
