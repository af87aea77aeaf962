import { after, type Job } from "./job.ts";

/**
 * What was on its way when its process died, as it can go on, and how it was before; everything else as it was.
 * @param now milliseconds since 1970
 */
export function setBack(orphan: Job, now: number): { readonly job: Job; readonly before: Job | undefined } {
  if (orphan.state === "submitting") return { job: after(orphan, { type: "lost", at: now }), before: orphan };
  if (orphan.delivery === "delivering") {
    const { awaits } = orphan;
    return {
      job: after(orphan, { type: "deferred", until: 0, awaits: awaits ?? undefined }),
      before: orphan,
    };
  }
  return { job: orphan, before: undefined };
}
