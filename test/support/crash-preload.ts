import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { flushCompileCache } from "node:module";
import type { KillPoint } from "./crash-child.ts";

// Loaded before the program: kills or stops its process where the test wants it, as nothing inside can foresee.
const {
  point,
  nth = 1,
  laterMs = 0,
  signal = "SIGKILL",
  together = false,
}: KillPoint = JSON.parse(process.env["CRASH_AT"] ?? "{}");
const kill = () => {
  // Node would do that at an orderly end. It only blocks: nothing of the program runs any more.
  flushCompileCache();
  process.kill(process.pid, signal);
};
let seen = 0;

/** @param helper the process that is at work with this one */
function reach(where: KillPoint["point"], helper?: ChildProcess): void {
  if (where !== point) return;
  seen += 1;
  if (seen !== nth) return;
  if (together) helper?.kill(signal);
  if (laterMs > 0) setTimeout(kill, laterMs);
  else kill();
}

subscribe("reelay:job", (message) => reach((message as { point: KillPoint["point"] }).point));
// Node's own; the process has no line to this one yet.
subscribe("child_process", (message) => {
  const { process: helper } = message as { process: ChildProcess };
  let send: ChildProcess["send"];
  const handOver = (...given: Parameters<ChildProcess["send"]>) => {
    const sent = send.apply(helper, given);
    reach("decode", helper);
    return sent;
  };
  Object.defineProperty(helper, "send", {
    get: () => handOver,
    set(given: ChildProcess["send"]) {
      send = given;
    },
  });
});
