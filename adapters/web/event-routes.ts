import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { UserId } from "../../src/seam/values.ts";
import { Backlog } from "../../src/seam/surface/backlog.ts";
import type { PageAccess, PageEnv } from "./access.ts";
import type { Conversations } from "./conversations.ts";

/** How many windows of one person may follow their conversation at once. */
const MOST_WINDOWS = 64;
/** Proxies cut a silent connection, often after a minute. */
const HEARTBEAT_MS = 20_000;

/** What the routes here need. */
interface EventParts {
  readonly access: PageAccess;
  readonly conversations: Conversations;
  /** Aborted when the surface stops: open event streams end. */
  readonly stopped: AbortSignal;
}

/** The events of somebody's conversation. */
export function eventRoutes({ access, conversations, stopped }: EventParts): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  /** Ends each open window's events, the one that was opened first at the front. */
  const windowsOf = new Map<UserId, Set<() => void>>();

  app.get("/events", (c) =>
    streamSSE(c, async (stream) => {
      const { user } = c.var.person;
      const backlog = new Backlog(() => stream.abort());
      const conversation = await conversations.of(user);
      const unfollow = await conversation.follow((event, data) => {
        const message = { event, data: JSON.stringify(data) };
        backlog.add(message.data.length, () => stream.writeSSE(message));
      });
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const windows = windowsOf.get(user) ?? new Set();
      windowsOf.set(user, windows.add(end));
      // One more than may be takes the place of the first.
      if (windows.size > MOST_WINDOWS) [...windows][0]?.();
      const still = ": still here\n\n";
      // A device that was logged out meanwhile hears no more.
      const beat = async () =>
        (await access.isIn(c)) ? backlog.add(still.length, () => stream.write(still)) : end();
      const heartbeat = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS);
      stream.onAbort(end);
      if (stopped.aborted) end();
      stopped.addEventListener("abort", end, { once: true });
      await over;
      stopped.removeEventListener("abort", end);
      windows.delete(end);
      if (windows.size === 0) windowsOf.delete(user);
      clearInterval(heartbeat);
      unfollow();
    }),
  );
  return app;
}
