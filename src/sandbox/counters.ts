import type { RateGroup } from "../contract.ts";

/** What is counted since the start, for tests and benches. */
export class Counters {
  readonly requests: Partial<Record<RateGroup, number>> = {};
  /** 429s that the rules gave; those of injected faults are not among them. */
  readonly rejected = { rate: 0, slot: 0 };
  /** Reads of each job's own record, by its id. */
  readonly reads: Record<string, number> = {};
  /** Visits to the pages that `status_url` names, which no client should pay. */
  pages = 0;

  request(group: RateGroup): void {
    this.requests[group] = (this.requests[group] ?? 0) + 1;
  }

  read(jobId: string): void {
    this.reads[jobId] = (this.reads[jobId] ?? 0) + 1;
  }
}
