import { type ChildProcess, fork } from "node:child_process";
import { extname, join } from "node:path";
import { childEnvironment } from "../child-environment.ts";

/** What the process is told; ids are ours. */
export type SpawnRequest =
  | { readonly id: number; readonly program: string; readonly args: readonly string[] }
  | { readonly kill: number };

/** What became of a program. */
export interface SpawnReply {
  readonly id: number;
  /** What it said, or why it could not be started; where it failed. */
  readonly failure?: string;
}

/** A program that runs. */
interface Running {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Compiled or not, it lies beside this file. */
const PROGRAM = join(import.meta.dirname, `spawner-child${extname(import.meta.filename)}`);
/** What nobody needed for so long is ended, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Starts programs from a small process: to start one, a process is copied, and copying this one, with all that it
 * has in memory, stops it for up to 50 ms.
 */
class Spawner {
  readonly #child: ChildProcess;
  readonly #onEnd: () => void;
  readonly #running = new Map<number, Running>();
  #count = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param onEnd called when it takes no more */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#child = fork(PROGRAM, [], {
      env: childEnvironment(),
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const end = (error: Error) => {
      onEnd();
      for (const { reject } of this.#running.values()) reject(error);
      this.#running.clear();
    };
    this.#child.on("error", end);
    this.#child.on("exit", (code, signal) =>
      end(new Error(`What starts programs ended with ${signal ?? code}`)),
    );
    this.#child.on("message", ({ id, failure }: SpawnReply) => {
      const program = this.#running.get(id);
      this.#running.delete(id);
      if (this.#running.size === 0) this.#rest();
      if (failure === undefined) program?.resolve();
      else program?.reject(new Error(failure));
    });
  }

  async run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
    const id = this.#count++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running.set(id, { resolve, reject });
    this.#work();
    const kill = () => this.#tell({ kill: id });
    this.#tell({ id, program, args });
    signal.addEventListener("abort", kill, { once: true });
    try {
      await promise;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", kill);
    }
  }

  /** What it cannot be told any more, its end answers. */
  #tell(request: SpawnRequest): void {
    this.#child.send(request, () => {});
  }

  /** While something runs, this process does not end. */
  #work(): void {
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    // It takes no more from then on: what is begun before it has ended would end with it.
    this.#idle = setTimeout(() => {
      this.#onEnd();
      this.#child.disconnect();
    }, IDLE_MS).unref();
  }
}

let spawner: Spawner | undefined;

/**
 * Runs a program to its end, in the environment of a child process; without input, and what it writes to its standard output
 * is thrown away.
 * @param signal kills it
 * @throws the signal's reason, once the program is gone; Error with what it said when it fails, or cannot be started
 */
export async function spawnProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const used = (spawner ??= new Spawner(() => {
    if (spawner === used) spawner = undefined;
  }));
  await used.run(program, args, signal);
}
