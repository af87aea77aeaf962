/** Stands still until it is told to go on, waits for a word, and says what came first: the word or the end of its patience. */
import { timeoutAwake } from "../../src/common/time.ts";

const PATIENCE_MS = 1_000;

process.once("message", () => say("the word"));
timeoutAwake(PATIENCE_MS).addEventListener("abort", () => say("the end"));
process.send?.("waiting");
// Whoever heard of it could be too late to stop it.
process.kill(process.pid, "SIGSTOP");

function say(first: string): void {
  process.send?.(first, undefined, {}, () => process.exit());
}
