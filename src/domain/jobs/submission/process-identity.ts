import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/** What tells a process from every other one of its machine, also from those of other containers. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in the kernel's ticks since the start of the machine: a number may be given to another later. */
  readonly started: string | null;
  /** This start of the machine. Null where the system does not say, as everything but Linux. */
  readonly boot: string | null;
  /** The namespace in which its number means something: a container has its own. Null where there is none. */
  readonly pidNamespace: string | null;
}

/** Who this process is. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startOf("self"),
    boot: read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: read(() => readlinkSync("/proc/self/ns/pid")),
  };
}

/** The same where others may be on other machines: where this one does not say which it is, its numbers say nothing to anybody. */
export function identityAmongMachines(): ProcessIdentity {
  const own = ownIdentity();
  return { ...own, boot: own.boot ?? randomUUID() };
}

/**
 * Whether another process of this machine runs.
 * @returns undefined where its number says nothing here: it is another container's, or the system names no namespaces
 */
export function isRunning(other: ProcessIdentity, own: ProcessIdentity): boolean | undefined {
  if (other.boot !== own.boot || other.pidNamespace !== own.pidNamespace) return undefined;
  // A process is listed once: another one under its number lived before it.
  if (other.pid === own.pid) return false;
  if (own.boot === null || own.pidNamespace === null) return undefined;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const started = startOf(other.pid);
  return started === null || other.started === null || started === other.started;
}

/** The 22nd field of its line (proc(5)); the second, its name, may hold blanks and brackets. */
function startOf(pid: number | "self"): string | null {
  return read(() => {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return fields[19] ?? null;
  });
}

function read<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
