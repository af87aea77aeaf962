import type { Events } from "../../../src/seam/events.ts";
import type { JobBody } from "../resources/job.ts";

/** How often a job is looked at that another process of the same data folder may be working on, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** How long one waits, and who hears what happens meanwhile. */
interface Patience {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Hears each step of the job, also those of before. */
  readonly hear?: (job: JobBody) => Promise<void>;
}

/** Resolves when a job has ended, or nobody waits for it any more. */
export async function untilEnded(
  events: Pick<Events, "since" | "follow">,
  job: string,
  { signal, hear }: Patience,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let seen = 0;
  let looking = Promise.resolve();

  async function look(): Promise<void> {
    for (const { id, type, data } of await events.since(job, seen)) {
      seen = id;
      // What was told is what `jobBody` made.
      if (type === "job.progress") await hear?.(data as unknown as JobBody);
      else ended.resolve();
    }
  }
  const lookAgain = () => {
    looking = looking.then(look).catch(ended.reject);
  };

  const unfollow = events.follow(job, lookAgain);
  const timer = setInterval(lookAgain, LOOK_EVERY_MS);
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (signal.aborted) ended.resolve();
  lookAgain();
  try {
    await ended.promise;
  } finally {
    unfollow();
    clearInterval(timer);
  }
}
