import { followJob } from "../../adapters/http/jobs/follow-job.ts";
import type { Events, JobEvent } from "../../src/seam/events.ts";

/** What is heard of a job that no table knows. @returns the way to stop it */
export function hearJob(
  events: Pick<Events, "since" | "follow">,
  job: string,
  hear: (event: JobEvent) => void,
): () => void {
  const left = new AbortController();
  const known = {
    since: events.since.bind(events),
    follow: events.follow.bind(events),
    isKept: async () => true,
  };
  void followJob(known, job, { signal: left.signal, hear });
  return () => left.abort();
}
