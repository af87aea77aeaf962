import { parentPort, workerData } from "node:worker_threads";
import { backUp } from "./backup.ts";

/** Makes one backup, away from the main loop: copying a database takes as long as its file is large. */
const { place, to } = workerData as { readonly place: Parameters<typeof backUp>[0]; readonly to: string };

parentPort?.postMessage(await backUp(place, to), []);
