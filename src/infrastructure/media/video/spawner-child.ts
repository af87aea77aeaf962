/** A process that starts programs for the one that started it, and ends with it; so do they. */
import { execFile } from "node:child_process";
import { childEnvironment } from "../child-environment.ts";
import type { SpawnReply, SpawnRequest } from "./spawner.ts";

const running = new Map<number, AbortController>();

// Ctrl-C reaches a terminal's whole group: what runs is still waited for.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => {
  for (const controller of running.values()) controller.abort();
  process.exit();
});
process.on("message", (request: SpawnRequest) => {
  if ("kill" in request) running.get(request.kill)?.abort();
  else start(request);
});

function start({ id, program, args }: Exclude<SpawnRequest, { kill: number }>): void {
  const controller = new AbortController();
  running.set(id, controller);
  const end = (reply: SpawnReply) => {
    running.delete(id);
    process.send?.(reply, undefined, {}, () => {});
  };
  // It may be in the middle of writing: nothing of that is of use to anybody.
  const options = { env: childEnvironment(), signal: controller.signal, killSignal: "SIGKILL" } as const;
  let failure: string | undefined;
  const child = execFile(program, args, options, (error) => {
    if (error) failure = error.message;
  });
  // Also where it could not be started. What was killed may write until it is gone.
  child.once("close", () => end({ id, ...(failure !== undefined && { failure }) }));
}
