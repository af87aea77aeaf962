import { basename } from "node:path";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";

/** Where a program is cut off that copies files. */
export interface CutOff {
  /** The name of a file: once a first part of it was read or written. */
  readonly file: string;
  readonly signal: NodeJS.Signals;
}

/** Settings of a program that is cut off by a signal of its own, as nothing outside can tell how far it is before it is further. */
export const cutOff = (at: CutOff) => ({
  NODE_OPTIONS: `--import ${import.meta.url}`,
  CUT_OFF_AT: JSON.stringify(at),
});

const at = process.env["CUT_OFF_AT"];
if (at !== undefined) watch(at);

/** Loaded before the program, and on each of its threads. */
function watch(given: string): void {
  const { file, signal }: CutOff = JSON.parse(given);
  const { open } = fs;
  let isOver = false;
  const cutOnce = () => {
    if (!isOver) process.kill(process.pid, signal);
    isOver = true;
  };
  const watched: typeof open = async (path, ...how) => {
    const handle = await open(path, ...how);
    if (basename(String(path)) !== file) return handle;
    for (const name of ["read", "writeFile"] as const) {
      const copy = handle[name].bind(handle) as (...what: unknown[]) => Promise<unknown>;
      const value = async (...what: unknown[]) => {
        const copied = await copy(...what);
        cutOnce();
        return copied;
      };
      Object.defineProperty(handle, name, { value });
    }
    return handle;
  };
  Object.assign(fs, { open: watched });
  class WatchedWorker extends workers.Worker {
    constructor(...[program, options]: ConstructorParameters<typeof workers.Worker>) {
      const execArgv = [...(options?.execArgv ?? []), "--import", import.meta.url];
      super(program, { ...options, execArgv, env: { ...(options?.env as object), CUT_OFF_AT: given } });
    }
  }
  Object.assign(workers, { Worker: WatchedWorker });
  syncBuiltinESMExports();
}
