import type { InlineKeyboardButton } from "telegraf/types";
import { wayToStudio } from "../../kit/handlers/studio.ts";
import type { UpdateContext } from "../context/context.ts";
import { takesMiniApp } from "../api/limits.ts";
import { tell } from "./tell.ts";

/**
 * Leads somebody to their own page, in the private chat.
 * @param why what is said of it
 * @returns whether there is such a page
 */
export async function leadToStudio(
  context: UpdateContext,
  why: "chat.studio" | "chat.connect.page",
): Promise<boolean> {
  const { say } = context;
  const way = await wayToStudio(context);
  if (!way) return false;
  const { address, link } = way;
  const buttons: InlineKeyboardButton[] = [{ text: say("chat.studio.browser"), url: link }];
  if (takesMiniApp(address)) buttons.unshift({ text: say("chat.studio.open"), web_app: { url: address } });
  await tell(context, say(why), { inline_keyboard: buttons.map((button) => [button]) });
  return true;
}

/** `/studio`. */
export async function studio(context: UpdateContext): Promise<void> {
  if (!(await leadToStudio(context, "chat.studio"))) await tell(context, context.say("chat.studio.off"));
}
