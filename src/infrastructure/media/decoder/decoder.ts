import { availableParallelism } from "node:os";
import { asReelayError } from "../../../common/errors.ts";
import { DecoderProcess, NotBegun } from "./process.ts";
import type { Request } from "./protocol.ts";
import type { TaskInput, TaskName, TaskOutput } from "./tasks.ts";

/** At least two, so that a file that takes all it may does not hold up the others. */
const MAX_PROCESSES = Math.max(2, Math.min(4, availableParallelism()));
/** After so many files a process is replaced: what its libraries hold on to goes with it. */
const MAX_FILES = 250;
/** What nobody needed for so long is ended, in milliseconds. */
const IDLE_MS = 60_000;

/** So often is a file given to another process, where one ended before it had begun: not for ever. */
const MAX_GIVEN = 3;

/** A request that waits for a process. */
interface Waiting {
  readonly request: Request;
  /** To how many processes it was given. */
  given: number;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const processes = new Set<DecoderProcess>();
const waiting: Waiting[] = [];
let idle: NodeJS.Timeout | undefined;

/**
 * Does something with the content of a file that came from outside: in a process of its own, within `BUDGET`. What
 * brings that process down costs this one file.
 * @param input paths instead of files; the process reads and writes there
 * @throws ReelayError for what a person can be told; `internal` where no process could be started; any other error for
 * what cannot be read or takes more than the budget
 */
export function decode<T extends TaskName>(task: T, input: TaskInput<T>): Promise<TaskOutput<T>> {
  return new Promise((resolve, reject) => {
    waiting.push({ request: { task, input }, given: 0, resolve: resolve as Waiting["resolve"], reject });
    next();
  });
}

/** Starts a process where there is none: it takes as long as a small file takes to arrive. */
export function warmUp(): void {
  if (processes.size === 0) begin();
  endIdleLater();
}

function begin(): DecoderProcess {
  const started = new DecoderProcess(() => {
    processes.delete(started);
    next();
  });
  processes.add(started);
  return started;
}

function next(): void {
  while (waiting.length > 0) {
    const free =
      [...processes].find(({ isIdle }) => isIdle) ?? (processes.size < MAX_PROCESSES ? begin() : undefined);
    const first = free && waiting.shift();
    if (!first) return;
    work(free, first).catch(first.reject);
  }
}

async function work(decoder: DecoderProcess, one: Waiting): Promise<void> {
  one.given++;
  try {
    one.resolve(await decoder.run(one.request));
  } catch (error) {
    if (error instanceof NotBegun) {
      processes.delete(decoder);
      if (one.given < MAX_GIVEN) waiting.unshift(one);
      else one.reject(asReelayError(error));
    } else one.reject(error);
  }
  if (decoder.count >= MAX_FILES) end(decoder);
  next();
  endIdleLater();
}

function end(decoder: DecoderProcess): void {
  processes.delete(decoder);
  decoder.kill();
}

function endIdleLater(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    for (const decoder of [...processes].filter(({ isIdle }) => isIdle)) end(decoder);
  }, IDLE_MS).unref();
}
