import type { Command } from "commander";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import type { ExitCode } from "../output/exit-codes.ts";
import type { Shell } from "../session/shell.ts";

/** One of several commands under a common name, such as `reelay partner add`. */
export interface GroupedCommand {
  /** Its name and arguments, as commander reads them. */
  readonly usage: string;
  readonly description: MessageKey;
  readonly addFlags: (command: Command, translate: Translate) => void;
  readonly run: (shell: Shell, command: Command) => Promise<ExitCode>;
}

/** For commands without flags of their own. */
export const noFlags = () => {};
