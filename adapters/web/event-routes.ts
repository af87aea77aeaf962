import { Hono } from "hono";
import type { PageAccess, PageEnv } from "./access.ts";
import type { Conversations } from "./conversations.ts";
import { EventStreams } from "./serving/event-stream.ts";

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
  const streams = new EventStreams(stopped, (hear) => access.onChange(hear));
  app.get("/events", (c) => {
    const { user } = c.var.person;
    // A device that was logged out meanwhile hears no more.
    const mayHear = () => access.isIn(c);
    return streams.open(c, user, mayHear, async (send) => {
      const conversation = await conversations.of(user);
      // A history is as long as it is: only of what comes behind it may too much wait.
      return conversation.follow((event, data) => send(event, JSON.stringify(data), event !== "history"));
    });
  });
  return app;
}
