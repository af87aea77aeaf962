import type { PageMessage } from "../../adapters/web/wire.ts";

/** What a conversation says of how something ended: a job, or what was to become one. */
export const endsIn = (conversation: readonly PageMessage[]) =>
  conversation.flatMap(({ body }) => (body.kind === "result" || body.kind === "problem" ? [body] : []));

/** How many of a list are there already. */
export const twice = (list: readonly unknown[]) => list.length - new Set(list).size;
