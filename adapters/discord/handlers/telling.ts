import { tellingBy } from "../../../src/chat/handler.ts";
import type { Visit } from "../context/context.ts";
import { deliver } from "../messages/post.ts";

/** A clerk that tells people what is wrong with what they asked for, in private. */
export const telling = tellingBy<Visit>((visit, view) => deliver(visit, visit.address, view));
