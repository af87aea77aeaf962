import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { BUDGET } from "./budget.ts";

/** How often it is looked, in milliseconds: what a process can take in that time is no danger. */
const EVERY_MS = 25;

/** Says when this process has something to do. */
export interface Watched {
  begin(): void;
  end(): void;
}

/** What one file may take: times in milliseconds, and memory in bytes. */
type Limits = Readonly<Record<"cpuMs" | "wallMs" | "memory", number>>;

/**
 * Kills this process when what it does takes more than the budget. It is watched from a thread of its own: some
 * libraries let nothing else happen on the one that they are called on, and none of them can be stopped otherwise.
 */
export function watch({ cpuMs: most, wallMs, memory }: Limits = BUDGET): Watched {
  goFirst();
  /** The processor's time at which it began, in milliseconds; negative while there is nothing to do. */
  const began = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(-1);
  const limits: Limits = { cpuMs: most, wallMs, memory };
  new Worker(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url), {
    workerData: { began, limits },
    env: {},
  }).unref();
  return {
    begin: () => void began.fill(cpuMs()),
    end: () => void began.fill(-1),
  };
}

/** Where a machine runs out of memory, its kernel ends this process rather than the one that serves everybody. */
function goFirst(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Only Linux has it.
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Since when it was last seen at work, and how often. */
let seen = { since: -1, looks: 0 };

function look({ began, limits }: { readonly began: Float64Array; readonly limits: Limits }): void {
  const [since = -1] = began;
  seen = since === seen.since ? { since, looks: seen.looks + 1 } : { since, looks: 0 };
  if (since < 0) return;
  // Looks are counted, not the clock: whoever stopped this process, or keeps the processor busy, stopped the looks as well.
  const ms = seen.looks * EVERY_MS;
  if (ms > limits.wallMs || cpuMs() - since > limits.cpuMs || process.memoryUsage.rss() > limits.memory)
    process.kill(process.pid, "SIGKILL");
}

if (!isMainThread) setInterval(look, EVERY_MS, workerData);
