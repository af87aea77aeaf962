import { NO_OUTLOOK, type Outlook } from "../../seam/access/job-record.ts";
import { currentTime } from "../../common/time.ts";
import type { Experience } from "../jobs/experience/experience.ts";
import type { Job } from "../jobs/job.ts";
import { expectedEnd, phaseOf } from "../jobs/job-view.ts";
import type { aheadOf } from "../jobs/listing.ts";

/** What is known of how long jobs will go on. */
interface Sources {
  readonly experience: Pick<Experience, "durations">;
  /** As {@link aheadOf}. */
  readonly ahead: (user: Job["user"], jobs: readonly Job[]) => ReturnType<typeof aheadOf>;
}

/** How long jobs of one person will go on, as people are told it. However many they are, the line is looked at once. */
export async function outlooksOf(
  { experience, ahead }: Sources,
  jobs: readonly Job[],
): Promise<(job: Job) => Outlook> {
  const queued = jobs.filter((job) => phaseOf(job) === "queued");
  const [first] = queued;
  const places = first && (await ahead(first.user, queued));
  return (job) => {
    if (phaseOf(job) !== "running") return { ...NO_OUTLOOK, ahead: places?.get(job.id) ?? null };
    const at = expectedEnd(experience, job);
    return { ...NO_OUTLOOK, expectedAt: at !== undefined && at > currentTime() ? at : null };
  };
}
