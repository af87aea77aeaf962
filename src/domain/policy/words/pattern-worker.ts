import { parentPort, workerData } from "node:worker_threads";
import { RE2JS } from "re2js";
import { fold } from "./fold.ts";
import { PATTERN_FLAGS } from "./patterns.ts";

/** Looks for patterns in texts, away from the main loop: the patterns come first, then a text at a time. */
const patterns = (workerData as readonly string[]).map((source) => RE2JS.compile(source, PATTERN_FLAGS));

parentPort?.on("message", (text: string) => {
  const forms = [text.normalize("NFKC"), fold(text)];
  parentPort?.postMessage(
    patterns.findIndex((pattern) => forms.some((form) => pattern.test(form))),
    [],
  );
});
parentPort?.postMessage("ready", []);
