import type { Origin } from "../../../src/seam/origin.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { meaningOf } from "../api/errors.ts";
import type { UpdateContext } from "../context/context.ts";

/** Somebody as one of those who manage a group. */
export type GroupOrigin = Origin & Pick<Required<Origin>, "chat" | "manages" | "moderates">;

/**
 * They are asked for each time: whoever managed a group may do so no more, and it may have another id.
 * @throws ReelayError `not_manager`
 */
export async function managed({ sender, origin }: UpdateContext, group: number): Promise<GroupOrigin> {
  try {
    const admins = await sender.call("getChatAdministrators", { chat_id: group });
    const { id } = await sender.call("getChat", { chat_id: group });
    if (admins.some(({ user }) => `telegram:${user.id}` === origin.user))
      return { ...origin, chat: `telegram:${id}`, manages: true, moderates: true };
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning !== "refused" && meaning !== "unreachable") throw error;
  }
  throw new ReelayError("not_manager");
}
