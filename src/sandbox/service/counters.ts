import type { SandboxGroup } from "./rates.ts";

/** What is counted since the start, for tests and benches. */
export class Counters {
  readonly requests: Partial<Record<SandboxGroup, number>> = {};
  /** 429s that the rules gave; those of injected faults are not among them. */
  readonly rejected = { rate: 0, slot: 0 };
  /** Reads of each job's own record, by its id. */
  readonly reads: Record<string, number> = {};
  /** Visits to the pages that `status_url` names, which no client should pay. */
  pages = 0;
  /** Keys that were shown to the host of files, which is none of the service's own. */
  leakedKeys = 0;

  request(group: SandboxGroup): void {
    this.requests[group] = (this.requests[group] ?? 0) + 1;
  }

  read(jobId: string): void {
    this.reads[jobId] = (this.reads[jobId] ?? 0) + 1;
  }
}
