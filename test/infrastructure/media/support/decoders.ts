import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The processes that decode files for this one. */
export function decoders(): readonly number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid && args.includes("decoder/child") ? [Number(pid)] : [];
  });
}

/** The most memory that a process ever held, in MB; where only Linux tells, nothing. */
export function peakMb(pid: number): number {
  if (process.platform !== "linux") return 0;
  const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}
