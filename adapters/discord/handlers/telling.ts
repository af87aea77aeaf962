import { tellingBy } from "../../kit/pipeline/handler.ts";
import type { InteractionContext } from "../context/context.ts";
import { deliver } from "../messages/post.ts";

/** A handler that tells people what is wrong with what they asked for, in private. */
export const telling = tellingBy<InteractionContext>((context, view) =>
  deliver(context, context.address, view),
);
