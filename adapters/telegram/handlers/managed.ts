import type { Origin } from "../../../src/seam/origin.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { chatOf } from "../context/chat-context.ts";
import type { UpdateContext } from "../context/context.ts";
import { managedBy } from "../context/managers.ts";

/** Somebody as one of those who manage a group. */
export type GroupOrigin = Origin & Pick<Required<Origin>, "chat" | "manages" | "moderates">;

/**
 * They are asked for each time: whoever managed a group may do so no more, and it may have another id.
 * @throws ReelayError `not_manager`
 */
export async function managed(context: UpdateContext, group: number): Promise<GroupOrigin> {
  const { origin } = context;
  const chat = await managedBy(context, chatOf(origin.user), group);
  if (chat === undefined) throw new ReelayError("not_manager");
  return { ...origin, chat, manages: true, moderates: true };
}
