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
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      // A device that was logged out meanwhile hears no more.
      const write = async (send: () => Promise<unknown>) => {
        const isIn = await access.isIn(c).catch(() => false);
        await (isIn ? send() : end());
      };
      const unfollow = await conversation.follow((event, data) => {
        const message = { event, data: JSON.stringify(data) };
        // A history is as long as it is: only of what comes behind it may too much wait.
        const waits = event === "history" ? 0 : message.data.length;
        backlog.add(waits, () => write(() => stream.writeSSE(message)));
      });
      const windows = windowsOf.get(user) ?? new Set();
      windowsOf.set(user, windows.add(end));
      // One more than may be takes the place of the first.
      if (windows.size > MOST_WINDOWS) [...windows][0]?.();
      const still = ": still here\n\n";
      const beat = () => backlog.add(still.length, () => write(() => stream.write(still)));
      const heartbeat = setInterval(beat, HEARTBEAT_MS);
      const unheard = access.onChange(() => void write(async () => {}));
      stream.onAbort(end);
      if (stopped.aborted) end();
      stopped.addEventListener("abort", end, { once: true });
      await over;
      stopped.removeEventListener("abort", end);
      windows.delete(end);
      if (windows.size === 0) windowsOf.delete(user);
      clearInterval(heartbeat);
      unheard();
      unfollow();
    }),
  );
  return app;
}
