/** Takes without end what its argument says, on the only thread that there is for it. */
import { watch } from "../../../src/media/decoder/watchdog.ts";

const [, , what] = process.argv;
const watched = watch({ cpuMs: what === "time" ? 300 : Infinity, memory: 300 * 2 ** 20 });
watched.begin();
// What is kept cannot be collected.
const kept: Buffer[] = [];
for (;;) {
  if (what === "memory") kept.push(Buffer.alloc(2 ** 20, 1));
  else kept.length = 0;
}
