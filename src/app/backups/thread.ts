import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BackupDone, BackupRefused } from "../../seam/surface/runtime.ts";
import type { KeptAt } from "./backup.ts";

/** Makes a backup on a thread of its own. @throws what making it throws; the signal's reason */
export async function backUpOnThread(
  { data, store }: Pick<KeptAt, "data" | "store">,
  to: string,
  signal: AbortSignal,
): Promise<BackupDone | BackupRefused> {
  signal.throwIfAborted();
  const file = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { place: { data, store }, to }, env: {}, execArgv: [] });
  try {
    const [done] = (await once(worker, "message", { signal })) as [BackupDone | BackupRefused];
    return done;
  } finally {
    await worker.terminate();
  }
}
