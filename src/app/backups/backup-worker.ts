import { parentPort, workerData } from "node:worker_threads";
import { backUp } from "./backup.ts";

/** Makes one backup, away from the main loop: what is written and read back is as large as all that is kept. */
const { place, to } = workerData as { readonly place: Parameters<typeof backUp>[0]; readonly to: string };

// Whatever it is told is that it is to stop.
const stopped = new AbortController();
parentPort?.once("message", () => stopped.abort());

parentPort?.postMessage(await backUp(place, to, stopped.signal), []);
