/** Takes without end what its argument says, on the only thread that there is for it; or takes its time, and ends. */
import { watch } from "../../../../src/infrastructure/media/decoder/watchdog.ts";

/** How long it may hang, and how long it takes where it comes to its end: between them there is more than any machine is late. */
const MS = { most: 2_000, taken: 1_000 } as const;

const [, , what] = process.argv;
const wallMs = what === "patience" || what === "pauses" ? MS.most : Infinity;
const watched = watch({ cpuMs: what === "time" ? 300 : Infinity, wallMs, memory: 300 * 2 ** 20 });
watched.begin();
process.send?.("begun");
// What is kept cannot be collected.
const kept: Buffer[] = [];
if (what === "pauses") {
  setTimeout(() => process.exit(), MS.taken);
  // Whoever heard that it has begun could be too late to stop it.
  process.kill(process.pid, "SIGSTOP");
} else if (what === "patience") setInterval(() => {}, 1_000);
else {
  for (;;) {
    if (what === "memory") kept.push(Buffer.alloc(2 ** 20, 1));
    else kept.length = 0;
  }
}
