import { type ChildProcess, fork } from "node:child_process";
import { extname, join } from "node:path";
import { childEnvironment } from "../child-environment.ts";
import { asReelayError, ReelayError } from "../../../common/errors.ts";
import type { DecoderReply, Request } from "./protocol.ts";

/** Compiled or not, it lies beside this file. */
const PROGRAM = join(import.meta.dirname, `child${extname(import.meta.filename)}`);
/** Its own objects are small; what libraries take is watched. */
const HEAP_MB = 384;
/** A request that a process works on. */
interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
  begun: boolean;
}

/** A process ended before it began with a file: that is none of the file's doing. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";
}

/** A process that decodes one file at a time. While it has nothing to do it keeps nobody from ending. */
export class DecoderProcess {
  readonly #child: ChildProcess;
  #pending: Pending | undefined;
  #ready = false;
  /** How many files it was given. */
  count = 0;

  /** @param onEnd called once, when it has ended, however that came */
  constructor(onEnd: () => void) {
    const { NODE_COMPILE_CACHE: cache } = process.env;
    const env = { ...childEnvironment(), ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
    const execArgv = [`--max-old-space-size=${HEAP_MB}`];
    this.#child = fork(PROGRAM, [], { env, execArgv, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    this.#child.on("message", (reply: DecoderReply) => this.#hear(reply));
    let ended = false;
    const end = (cause: Error) => {
      if (ended) return;
      ended = true;
      onEnd();
      // Where it never began to run, that is none of the file's doing.
      this.#settle(({ reject, begun }) => {
        if (!this.#ready) reject(asReelayError(cause));
        else reject(begun ? cause : new NotBegun());
      });
    };
    this.#child.on("error", end);
    this.#child.on("exit", (code, signal) => end(new Error(`The decoder ended with ${signal ?? code}`)));
    this.#rest();
  }

  get isIdle(): boolean {
    return this.#pending === undefined;
  }

  /**
   * Does something with a file.
   * @throws ReelayError for what a person can be told, and `internal` where the process could not start; any other error for
   * what could not be read, or took more than the budget; NotBegun
   */
  run(request: Request): Promise<unknown> {
    this.count++;
    this.#child.ref();
    this.#child.channel?.ref();
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject, begun: false };
      this.#child.send(request, (error) => {
        if (error) this.#settle((given) => given.reject(new NotBegun()));
      });
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #hear(reply: DecoderReply): void {
    if ("ready" in reply) this.#ready = true;
    else if ("begun" in reply) this.#begin();
    else if ("output" in reply) this.#settle(({ resolve }) => resolve(reply.output));
    else if ("failure" in reply) this.#settle(({ reject }) => reject(new Error(reply.failure)));
    else this.#settle(({ reject }) => reject(new ReelayError(reply.problem.code, reply.problem.params)));
  }

  #begin(): void {
    if (this.#pending) this.#pending.begun = true;
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    this.#rest();
    how(pending);
  }

  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}
