import type { Events, JobEvent } from "../../../src/seam/events.ts";

/** How often a job is looked at of which nothing is heard: another process may have deleted it. In milliseconds. */
const LOOK_EVERY_MS = 15_000;

/** Who follows a job, and how long. */
interface Follower {
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Hears each event of the job once, in their order, also those of before; none after it has ended. */
  readonly hear?: (event: JobEvent) => void | Promise<void>;
}

/**
 * Resolves when a job has ended or was deleted, or nobody follows it any more.
 * @throws Error where its events cannot be read
 */
export async function followJob(
  events: Pick<Events, "since" | "follow" | "isKept">,
  job: string,
  { signal, hear }: Follower,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let seen = 0;
  let looking = Promise.resolve();

  /** @param written what was just written: it may be erased before it is read */
  async function look(written?: JobEvent): Promise<void> {
    if (signal.aborted) return;
    const news = await events.since(job, seen);
    if (written && written.id > (news.at(-1)?.id ?? seen)) news.push(written);
    for (const event of news) {
      seen = event.id;
      await hear?.(event);
      if (event.type !== "job.progress") ended.resolve();
    }
    // Nothing comes of one that was deleted, not even its end.
    if (news.length === 0 && !(await events.isKept(job))) ended.resolve();
  }
  const lookAgain = (written?: JobEvent) => {
    looking = looking.then(() => look(written)).catch(ended.reject);
  };

  const unfollow = events.follow(job, lookAgain);
  const timer = setInterval(() => lookAgain(), LOOK_EVERY_MS);
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
