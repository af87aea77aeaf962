import { fork } from "node:child_process";
import { chmodSync, closeSync, openSync } from "node:fs";
import { extname, join } from "node:path";
import { childEnvironment } from "../../media/child-environment.ts";
import { asStorageError, isDamage } from "../stored-file.ts";

/** What became of a copy. */
export interface CopyReply {
  /** Nothing, where it is whole. */
  readonly failure?: {
    /** Whether nothing of the database could be read at all. */
    readonly isUnreadable: boolean;
    readonly message: string;
    /** What the error says beside that: SQLite's results, or the system's. */
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Compiled or not, it lies beside this file. */
const PROGRAM = join(import.meta.dirname, `copier-child${extname(import.meta.filename)}`);

/**
 * Writes a database as it is at this moment to a new file, while others read and write it, and this process goes on.
 * @param to there is nothing yet
 * @param signal ends it: what is half written is left to the caller
 * @throws ReelayError `storage_down` where the database cannot be read; else what SQLite says of the new file; the signal's reason, once
 * nothing is written any more
 */
export async function copyDatabase(path: string, to: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  closeSync(openSync(to, "wx", 0o600));
  const { failure } = await copyInProcess(path, to, signal);
  if (failure) {
    const error = Object.assign(new Error(failure.message), failure.details);
    // What it fails of later, but for damage, is the fault of what it is copied to: the new file is SQLite's own work.
    throw failure.isUnreadable || isDamage(error) ? asStorageError(error) : error;
  }
  chmodSync(to, 0o600);
}

/** SQLite copies all of it in one call, which only the end of its process can break off. */
async function copyInProcess(path: string, to: string, signal?: AbortSignal): Promise<CopyReply> {
  const child = fork(PROGRAM, [path, to], {
    env: childEnvironment(),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { promise: replied, resolve, reject } = Promise.withResolvers<CopyReply>();
  const ended = Promise.withResolvers<void>();
  child.once("message", (reply: CopyReply) => resolve(reply));
  child.on("error", reject);
  // Also where it could not be started.
  child.once("close", (code, by) => {
    reject(new Error(`What copies a database ended with ${by ?? code}`));
    ended.resolve();
  });
  const kill = () => void child.kill("SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  try {
    return await replied;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", kill);
    kill();
    await ended.promise;
  }
}
