import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/** Copies a database's log into its file whenever it is asked to, until it is told to end: waiting for the disk, away from the main loop. */
const file = pathToFileURL(workerData as string);
// What is gone meanwhile is not made anew.
file.searchParams.set("mode", "rw");
const sqlite = new DatabaseSync(file);
sqlite.exec("pragma synchronous = normal");
// Keeps nobody waiting, and waits for nobody.
const checkpoint = sqlite.prepare("pragma wal_checkpoint(passive)");

parentPort?.on("message", (wish: "copy" | "end") => {
  if (wish === "copy") {
    checkpoint.get();
    parentPort?.postMessage("copied", []);
  } else {
    sqlite.close();
    parentPort?.close();
  }
});
