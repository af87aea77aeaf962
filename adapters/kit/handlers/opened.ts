import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";

/** Has what waited for somebody's next word told. */
export const openedHandler: HandlerFor<ChatContext> = async ({ intake, origin }) => {
  await intake.chatOpened({ user: origin.user });
  return false;
};
