/** The least time that a processor takes for something, in milliseconds: others may be busy beside it. */
export function cpuTime(run: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const from = process.cpuUsage();
    run();
    return process.cpuUsage(from).user / 1_000;
  });
  return Math.min(...times);
}
