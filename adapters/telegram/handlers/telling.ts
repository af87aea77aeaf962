import { tellingBy } from "../../kit/pipeline/handler.ts";
import { addressOf } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import { post } from "../messages/post.ts";

/** A handler that tells people what is wrong with what they sent, in a message of its own. */
export const telling = tellingBy<UpdateContext>((context, view) =>
  post(context, addressOf(context.origin.address), view),
);
