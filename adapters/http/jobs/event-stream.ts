import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { Backlog } from "../../../src/seam/surface/backlog.ts";
import type { Events } from "../../../src/seam/events.ts";
import { followJob } from "./follow-job.ts";

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
 * A job's events as they come, after those that were missed (`Last-Event-ID`), until it has ended or was deleted. None is
 * lost or repeated between the two.
 */
export function eventStream(c: Context, { job, events, ended }: Followed): Response {
  // Nobody reads what would come.
  if (c.req.method === "HEAD") return c.body(null, { headers: { "Content-Type": "text/event-stream" } });
  const last = Number(c.req.header("last-event-id") ?? 0);
  const seen = Number.isSafeInteger(last) ? last : 0;
  return streamSSE(c, async (stream) => {
    const left = new AbortController();
    stream.onAbort(() => left.abort());
    const backlog = new Backlog(() => stream.abort());
    const write = (text: string) => backlog.add(text.length, () => stream.write(text));
    write(`retry: ${RETRY_MS}\n\n`);
    const heartbeat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
    try {
      await followJob(events, job, {
        signal: AbortSignal.any([left.signal, ended]),
        hear({ id, type, data }) {
          // An id that no event had yet is of no use, as after a backup was restored: the end is told all the same.
          if (id === seen || (id < seen && type === "job.progress")) return;
          const message = { id: String(id), event: type, data: JSON.stringify(data) };
          backlog.add(message.data.length, () => stream.writeSSE(message));
        },
      });
      await backlog.flushed();
    } finally {
      clearInterval(heartbeat);
    }
  });
}
