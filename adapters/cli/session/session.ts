import { setTimeout as sleep } from "node:timers/promises";
import type { Shell } from "./shell.ts";
import type { RunningCore } from "../../../src/seam/surface/runtime.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { parseToken } from "../../../src/seam/text/actions.ts";
import type { StatementName, UserId } from "../../../src/seam/values.ts";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import { type Params, ReelayError } from "../../../src/common/errors.ts";
import { answerTo, type StatementQuestion, unconfirmed } from "./agree.ts";
import type { Destination } from "../input/destination.ts";
import type { CliEvent } from "../output/events.ts";
import { EXIT, type ExitCode } from "../output/exit-codes.ts";
import { interruption } from "../output/io.ts";
import { Outcomes } from "../output/outcomes.ts";
import { problemOf } from "../output/problems.ts";
import { SILENCE_MS, untilSilent } from "./silence.ts";
import { createCliSurface } from "./surface.ts";

/** How long what is being asked has to end once a call is interrupted, in milliseconds. */
const PATIENCE_MS = 5_000;

/** How often it is looked at whether another process has ended what is waited for, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** What is done with an open core, until the signal fires. Returns how many answers are to be waited for. */
export type Task = (core: RunningCore, origin: Origin, signal: AbortSignal) => Promise<number>;

/** What a call says beside what it asks for. */
export interface CallFlags {
  /** Where results go of what is asked for now. */
  readonly destination: Destination;
  /** Whether that also goes for jobs of earlier calls, which have a destination of their own. */
  readonly always: boolean;
  /** What it states by its flag. */
  readonly agreed: readonly StatementName[];
  /** The button that it presses, where it presses one. */
  readonly pressed?: string;
}

/**
 * Opens a core, does something with it and waits until everything that this began has ended.
 * @returns the worst exit code of what ended
 */
export async function converse(shell: Shell, flags: CallFlags, task: Task): Promise<ExitCode> {
  const { io, printer, runtime, translate } = shell;
  const outcomes = new Outcomes();
  const replaced: CliEvent<"notice">[] = [];
  const questions: StatementQuestion[] = [];
  let told: CliEvent | undefined;
  const tell = (event: CliEvent) => {
    // What an interrupted call still asked for is wanted no more.
    if (interrupted.signal.aborted && event.event === "problem" && event.job === undefined) return;
    printer.print(event);
    outcomes.note(event);
    told = event;
  };
  const surface = createCliSurface({
    translate,
    commands: await runtime.commands(),
    tell,
    aside: (text) => printer.aside(text),
    asked: (question) => void questions.push(question),
    replaced: (event) => void replaced.push(event),
    destination: flags.always ? flags.destination : undefined,
  });
  const tellSilent = () => printer.aside(translate("cli.silent", { minutes: SILENCE_MS / 60_000 }));
  let isForGood = false;
  let hasToldLeft = false;
  const tellLeft = () => {
    if (!hasToldLeft) printer.aside(translate("cli.waits"));
    hasToldLeft = true;
  };
  const stopping = () => printer.aside(translate("cli.stopping"));
  const interrupted = interruption(io, stopping, EXIT.interrupted);
  try {
    const core = await runtime.openCore(surface, tellLeft);
    const origin = originOf(shell, flags);
    isForGood = takesForGood(core.intake, flags);
    const begun = Promise.withResolvers<void>();
    const ask = async () => {
      const count = await task(core, origin, interrupted.signal);
      // What waits for an answer goes on with it, and may lead to another question.
      for (let question = questions.shift(); question; question = questions.shift()) {
        const answer = await answerTo(shell, question, flags.agreed, interrupted.signal);
        if (answer === undefined) return undefined;
        const [agree] = question.event.actions;
        if (answer === true && agree) await core.intake.act(origin, agree.token);
        else if (answer !== true) tell(answer);
      }
      const problem = unconfirmed(shell, core.intake, told, flags.pressed);
      if (problem) tell(problem);
      return count;
    };
    const asking = interrupted.signal.aborted ? Promise.resolve(undefined) : ask();
    const carryOut = async () => {
      const count = await asking;
      if (count === undefined) return;
      // What replaced an earlier message is worth a line only where it is the only answer, and none was cut off.
      if (outcomes.none && !interrupted.signal.aborted) replaced.slice(-1).forEach(tell);
      const reached = outcomes.reach(count);
      begun.resolve();
      await reached;
    };
    const over = new AbortController();
    const silence = async () => {
      await begun.promise;
      await untilSilent(core, tellSilent, over.signal);
      await takeBack(shell, core, origin, outcomes);
    };
    const elsewhere = async () => {
      await begun.promise;
      await endElsewhere(shell, core, origin, outcomes, over.signal);
    };
    try {
      await Promise.race([carryOut(), interrupted.happened, silence(), elsewhere()]);
    } finally {
      over.abort();
      await core.stop(orPatience(asking));
    }
  } finally {
    interrupted.release();
  }
  if (outcomes.complete) return outcomes.exitCode;
  const again = isForGood ? ({ again: true } as const) : {};
  printer.print({ event: "interrupted", ...outcomes.open, ...again });
  return EXIT.interrupted;
}

/** Whether a call presses what takes something away for good: `reelay resume` knows nothing of that. */
const takesForGood = ({ buttons }: Intake, { pressed }: CallFlags) =>
  pressed !== undefined && buttons.get(parseToken(pressed).command)?.forGood === true;

/** Resolves when what was asked has come to an end, or has had its time for that. */
async function orPatience(asking: Promise<unknown>): Promise<void> {
  const asked = new AbortController();
  const patience = sleep(PATIENCE_MS, undefined, { signal: asked.signal }).catch(() => undefined);
  await Promise.race([asking.catch(() => undefined), patience]);
  asked.abort();
}

/** Takes jobs back that the service certainly never got, and says so. Those that it may have can be fetched later. */
async function takeBack(
  { printer, translate }: Shell,
  { intake }: RunningCore,
  { user }: Origin,
  outcomes: Outcomes,
): Promise<void> {
  for (const job of outcomes.unsent) {
    const isBack = await intake.jobs.remove(user, job).then(
      (became) => became === "cancelled",
      // It was sent at this very moment.
      () => false,
    );
    if (!isBack) continue;
    const problem = problemOf(translate, new ReelayError("network"));
    printer.print({ ...problem, job });
    outcomes.giveUp(job, problem.exitCode);
  }
}

/**
 * Says of jobs that another process has ended how they ended: while this one stood still, `reelay resume` may have taken them over, and
 * nothing of them is told here any more. Never resolves.
 */
async function endElsewhere(
  { printer, translate }: Shell,
  { intake }: RunningCore,
  { user }: Origin,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<never> {
  let before = new Set<string>();
  for (;;) {
    // It is over when the call is.
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => new Promise(() => {}));
    const ended = new Set<string>();
    for (const job of outcomes.open.jobs) {
      const end = await endOf(translate, intake, user, job);
      if (!end) continue;
      ended.add(job);
      // What ended in this process a moment ago is just being told.
      if (!before.has(job) || !outcomes.open.jobs.includes(job)) continue;
      printer.print(end.event);
      outcomes.giveUp(job, end.exitCode);
    }
    before = ended;
  }
}

/** How a job ended, and what a call ends with that waited for it; undefined while it goes on, or nobody can tell. */
async function endOf(translate: Translate, { jobs }: Intake, user: UserId, job: string) {
  const found = await jobs.find(user, job).catch((error: unknown) => problemOf(translate, error));
  if ("event" in found) {
    if (found.code !== "not_found") return undefined;
    return { event: { ...found, job, charged: null }, exitCode: found.exitCode };
  }
  const { status, problem, cost } = found;
  if (status === "completed")
    return { event: notice(translate, "cli.told_elsewhere", { job }), exitCode: EXIT.ok };
  if (status === "cancelled")
    return { event: notice(translate, "job.cancelled", {}), exitCode: EXIT.refused };
  if (status !== "failed" || !problem) return undefined;
  const told = problemOf(translate, new ReelayError(problem.code, problem.params));
  return { event: { ...told, job, charged: cost }, exitCode: told.exitCode };
}

function notice(translate: Translate, key: MessageKey, params: Params): CliEvent<"notice"> {
  return { event: "notice", key, params, text: translate(key, params), facts: [], actions: [] };
}

/** The one person of a terminal. */
function originOf({ locale }: Shell, { destination, agreed }: CallFlags): Origin {
  return { platform: "cli", user: "cli:me", address: destination, agreed, locale, audience: "private" };
}
