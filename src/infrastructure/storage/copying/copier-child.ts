/** A process that copies one database. It ends with the one that started it, whatever SQLite is doing: that is on a thread. */
import { DatabaseSync } from "node:sqlite";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { CopyReply } from "./copy.ts";

/** How long somebody else may keep it locked, in milliseconds. */
const BUSY_MS = 60_000;

if (isMainThread) attend();
else parentPort?.postMessage(copy(...(workerData as readonly [path: string, to: string])), []);

/** Hears what becomes of the one that started this. */
function attend(): void {
  // Ctrl-C reaches a terminal's whole group: who started this hears of it, too, and ends it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", end);
  if (!process.connected) end();
  const worker = new Worker(import.meta.filename, {
    workerData: process.argv.slice(2),
    env: {},
    execArgv: [],
  });
  worker.once("message", (reply: CopyReply) => process.send?.(reply, undefined, {}, () => {}));
}

/** Whoever only leaves waits for its threads, and no thread is stopped within a call of SQLite. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}

function copy(path: string, to: string): CopyReply {
  let isUnreadable = false;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    try {
      isUnreadable = true;
      database.prepare("select count(*) from sqlite_schema").get();
      isUnreadable = false;
      database.prepare("vacuum into ?").run(to);
    } finally {
      database.close();
    }
    return {};
  } catch (error) {
    const { message } = error as Error;
    return {
      failure: { isUnreadable, message, details: Object.fromEntries(Object.entries(error as Error)) },
    };
  }
}
