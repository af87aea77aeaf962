import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { Backlog } from "../../../src/seam/surface/backlog.ts";
import type { Events, JobEvent } from "../../../src/seam/events.ts";

/** Proxies cut a silent connection, often after a minute. */
const HEARTBEAT_MS = 15_000;
/** How soon a client that lost the line should come back, in milliseconds. */
const RETRY_MS = 3_000;

/** What is followed. */
export interface Followed {
  readonly job: string;
  readonly events: Events;
  /** Ends every stream. */
  readonly ended: AbortSignal;
}

/**
 * A job's events as they come, after those that were missed (`Last-Event-ID`), until its end. None is lost or repeated
 * between the two.
 */
export function eventStream(c: Context, { job, events, ended: over }: Followed): Response {
  const last = Number(c.req.header("last-event-id") ?? 0);
  return streamSSE(c, async (stream) => {
    const ended = Promise.withResolvers<void>();
    let seen = Number.isSafeInteger(last) ? last : 0;
    const backlog = new Backlog(() => stream.abort());
    const write = (text: string) => backlog.add(text.length, () => stream.write(text));
    write(`retry: ${RETRY_MS}\n\n`);
    const tell = (event: JobEvent) => {
      if (event.id > seen) {
        seen = event.id;
        const message = { id: String(event.id), event: event.type, data: JSON.stringify(event.data) };
        backlog.add(message.data.length, () => stream.writeSSE(message));
      }
      if (event.type !== "job.progress") ended.resolve();
    };
    stream.onAbort(() => ended.resolve());
    over.addEventListener("abort", () => ended.resolve(), { once: true });
    if (over.aborted) ended.resolve();
    // What comes while the older ones are read is told after them.
    let early: JobEvent[] | undefined = [];
    const unfollow = events.follow(job, (event) => (early ? early.push(event) : tell(event)));
    const heartbeat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
    try {
      const older = await events.since(job, 0);
      [...older, ...early].forEach(tell);
      early = undefined;
      await ended.promise;
      await backlog.flushed();
    } finally {
      clearInterval(heartbeat);
      unfollow();
    }
  });
}
