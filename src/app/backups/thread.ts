import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { childEnvironment } from "../../infrastructure/media/child-environment.ts";
import type { BackupDone, BackupRefused } from "../../seam/surface/runtime.ts";
import type { KeptAt } from "./backup.ts";

/**
 * Makes a backup on a thread of its own.
 * @param signal ends it: nothing is left of it then
 * @throws what making it throws; the signal's reason
 */
export async function backUpOnThread(
  { data, store, secret }: Pick<KeptAt, "data" | "store" | "secret">,
  to: string,
  signal: AbortSignal,
): Promise<BackupDone | BackupRefused> {
  signal.throwIfAborted();
  const file = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);
  const workerData = { place: { data, store, secret }, to };
  const worker = new Worker(file, { workerData, env: childEnvironment(), execArgv: [] });
  // It tidies up before it ends.
  const stop = () => worker.postMessage("stop", []);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [done] = (await once(worker, "message")) as [BackupDone | BackupRefused];
    return done;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
