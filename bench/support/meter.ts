import { monitorEventLoopDelay } from "node:perf_hooks";

/** What a process has used so far. */
export interface Figures {
  /** Processor time, of user and system, in milliseconds; without what collecting for these figures took. */
  readonly cpuMs: number;
  /** Bytes of JavaScript's heap in use after a full collection. */
  readonly heap: number;
  /** Bytes resident then. */
  readonly resident: number;
  /** The most bytes that were resident since the figures before; where nobody watches, those of now. */
  readonly peak: number;
  /** The longest time since then that nothing else could happen, in milliseconds; where nobody watches, 0. */
  readonly stalledMs: number;
}

const LOOK_EVERY_MS = 20;
/** Asking the kernel for it costs a sixth of a millisecond, which counts as the program's own. */
const MEMORY_EVERY_MS = 100;

const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
let peak = 0;
let collectedMs = 0;
const note = () => (peak = Math.max(peak, process.memoryUsage.rss()));
// Loaded before a program: tells whoever started it what its process has used, whenever they ask.
process.on("message", (question) => {
  if (question === "watch") watch();
  if (question !== "figures") return;
  const usedMs = cpuMs();
  note();
  const before = { cpuMs: usedMs - collectedMs, peak, stalledMs: delay.max / 1e6 };
  globalThis.gc?.();
  collectedMs += cpuMs() - usedMs;
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  process.send?.({ heap, resident, ...before } satisfies Figures);
  peak = resident;
  delay.reset();
});
process.channel?.unref();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Costs 4 ms of processor time a second. */
function watch(): void {
  delay.enable();
  // Neither this nor listening keeps a program from ending.
  setInterval(note, MEMORY_EVERY_MS).unref();
}
