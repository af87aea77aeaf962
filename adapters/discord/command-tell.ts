import { tellingBy } from "../../src/chat/clerk.ts";
import type { Visit } from "./desk.ts";
import { deliver } from "./post.ts";

/** A clerk that tells people what is wrong with what they asked for, in private. */
export const telling = tellingBy<Visit>((visit, view) => deliver(visit, visit.address, view));
