import { subscribe } from "node:diagnostics_channel";
import { flushCompileCache } from "node:module";
import type { KillPoint } from "./crash-child.ts";

// Loaded before the program: kills or stops its process where the test wants it, as nothing inside can foresee.
const {
  point,
  nth = 1,
  laterMs = 0,
  signal = "SIGKILL",
}: KillPoint = JSON.parse(process.env["CRASH_AT"] ?? "{}");
const kill = () => {
  // Node would do that at an orderly end. It only blocks: nothing of the program runs any more.
  flushCompileCache();
  process.kill(process.pid, signal);
};
let seen = 0;

subscribe("reelay:job", (message) => {
  if ((message as { point: string }).point !== point) return;
  seen += 1;
  if (seen !== nth) return;
  if (laterMs > 0) setTimeout(kill, laterMs);
  else kill();
});
