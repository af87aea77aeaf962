import type { ChatId } from "../../../src/seam/values.ts";
import { meaningOf } from "../api/errors.ts";
import type { Services } from "./context.ts";

/**
 * Whether somebody manages a group, asked anew: whoever did may do so no more, and it may have another id.
 * @param user Telegram's own id of them
 * @returns the group by the id that it has now; undefined where they do not
 */
export async function managedBy(
  { sender }: Pick<Services, "sender">,
  user: number,
  group: number,
): Promise<ChatId | undefined> {
  try {
    const admins = await sender.call("getChatAdministrators", { chat_id: group });
    const { id } = await sender.call("getChat", { chat_id: group });
    return admins.some((admin) => admin.user.id === user) ? `telegram:${id}` : undefined;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning !== "refused" && meaning !== "unreachable") throw error;
    return undefined;
  }
}

/** Whether somebody manages both of two groups, asked anew: then what is reported in one may be told in the other. */
export async function haveManagerInCommon(
  { sender }: Pick<Services, "sender">,
  ...groups: readonly [number, number]
): Promise<boolean> {
  try {
    const [one, other] = await Promise.all(
      groups.map((group) => sender.call("getChatAdministrators", { chat_id: group })),
    );
    const those = new Set(other?.map(({ user }) => user.id));
    return one?.some(({ user }) => !user.is_bot && those.has(user.id)) ?? false;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning !== "refused" && meaning !== "unreachable") throw error;
    return false;
  }
}
