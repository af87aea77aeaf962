import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { interruption } from "../output/io.ts";
import type { Shell } from "./shell.ts";

/** Says at Ctrl-C that the same call goes on with what was begun. */
const tellAgain = ({ printer }: Shell) =>
  printer.print({ event: "interrupted", jobs: [], sent: false, again: true });

/** Does what can be cut off at any moment, and done once more: Ctrl-C ends it at once. */
export async function leavingAtOnce(shell: Shell, work: () => Promise<ExitCode>): Promise<ExitCode> {
  const { io } = shell;
  const release = io.onInterrupt(() => {
    tellAgain(shell);
    io.leave(EXIT.interrupted);
  });
  try {
    return await work();
  } finally {
    release();
  }
}

/** Does what tidies up after itself where a signal ends it: Ctrl-C waits for that, and a second one does not. */
export async function tidyingUp(
  shell: Shell,
  work: (signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { io, printer, translate } = shell;
  const stopping = () => printer.aside(translate("cli.stopping"));
  const { signal, release } = interruption(io, stopping, EXIT.interrupted);
  try {
    return await work(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
    tellAgain(shell);
    return EXIT.interrupted;
  } finally {
    release();
  }
}
