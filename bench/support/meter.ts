/** What a process has used so far. */
export interface Figures {
  /** Processor time, of user and system, in milliseconds. */
  readonly cpuMs: number;
  /** Bytes of JavaScript's heap in use after a full collection. */
  readonly heap: number;
  /** Bytes resident then. */
  readonly resident: number;
}

// Loaded before a program: tells whoever started it what its process has used, whenever they ask.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1000, heap, resident } satisfies Figures);
});
// Listening alone keeps no program from ending.
process.channel?.unref();
