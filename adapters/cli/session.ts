import type { RunningCore, Runtime } from "../../src/chat/runtime.ts";
import type { Origin } from "../../src/chat/surface.ts";
import type { StatementName } from "../../src/chat/values.ts";
import type { Locale, Translate } from "../../src/i18n.ts";
import { answerTo, type Question } from "./agree.ts";
import type { Destination } from "./destination.ts";
import type { CliEvent, NoticeEvent } from "./events.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { interruption, type Io } from "./io.ts";
import { Outcomes } from "./outcomes.ts";
import type { Printer } from "./printer.ts";
import { createCliSurface } from "./surface.ts";

/** What every command of the command line works with. */
export interface Shell {
  readonly io: Io;
  readonly runtime: Runtime;
  readonly locale: Locale;
  readonly translate: Translate;
  readonly printer: Printer;
}

/** What is done with an open core. Returns how many answers are to be waited for. */
export type Task = (core: RunningCore, origin: Origin) => Promise<number>;

/** What a call says beside what it asks for. */
export interface CallFlags {
  /** Where results go of what is asked for now. */
  readonly destination: Destination;
  /** Whether that also goes for jobs of earlier calls, which have a destination of their own. */
  readonly always: boolean;
  /** What it states by its flag. */
  readonly agreed: readonly StatementName[];
}

/**
 * Opens a core, does something with it and waits until everything that this began has ended.
 * @returns the worst exit code of what ended
 */
export async function converse(shell: Shell, flags: CallFlags, task: Task): Promise<ExitCode> {
  const { io, printer, runtime, translate } = shell;
  const outcomes = new Outcomes();
  const replaced: NoticeEvent[] = [];
  const questions: Question[] = [];
  const tell = (event: CliEvent) => {
    printer.print(event);
    outcomes.note(event);
  };
  const surface = createCliSurface({
    translate,
    tell,
    asked: (question) => void questions.push(question),
    replaced: (event) => void replaced.push(event),
    destination: flags.always ? flags.destination : undefined,
  });
  const stopping = () => printer.aside(translate("cli.stopping"));
  const interrupted = interruption(io, stopping, EXIT.interrupted);
  try {
    const core = await runtime.openCore(() => [surface], false);
    const origin = originOf(shell, flags);
    const carryOut = async () => {
      const count = await task(core, origin);
      // What waits for an answer goes on with it, and may lead to another question.
      for (let question = questions.shift(); question; question = questions.shift()) {
        const answer = await answerTo(shell, question, flags.agreed, interrupted.signal);
        if (answer === undefined) return;
        const [agree] = question.event.actions;
        if (answer === true && agree) await core.intake.act(origin, agree.token);
        else if (answer !== true) tell(answer);
      }
      // What replaced an earlier message is worth a line only where it is the only answer.
      if (outcomes.none) replaced.slice(-1).forEach(tell);
      await outcomes.reach(count);
    };
    try {
      await (interrupted.signal.aborted ? undefined : Promise.race([carryOut(), interrupted.happened]));
    } finally {
      await core.stop();
    }
  } finally {
    interrupted.release();
  }
  if (outcomes.complete) return outcomes.exitCode;
  printer.print({ event: "interrupted", ...outcomes.open });
  return EXIT.interrupted;
}

/** The one person of a terminal. */
function originOf({ locale }: Shell, { destination, agreed }: CallFlags): Origin {
  return { platform: "cli", user: "cli:me", address: destination, agreed, locale, audience: "private" };
}
