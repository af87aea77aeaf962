import { ButtonStyle, ComponentType } from "discord.js";
import { action } from "../../../src/seam/text/actions.ts";
import { wayToStudio } from "../../kit/handlers/studio.ts";
import { callOf } from "../commands/command-call.ts";
import { STUDIO } from "../commands/commands.ts";
import type { Handler, ReplyContext } from "../context/context.ts";
import { buttonRows } from "../messages/components.ts";
import { said } from "../messages/render.ts";
import { tell } from "../messages/tell.ts";

/** `/studio`, and where there is such a page also `/connect`: both lead whoever asks to their own, and nobody else sees it. */
export const studioHandler: Handler = async (context) => {
  const name = callOf(context.interaction)?.name;
  if (name === STUDIO) return lead(context, "chat.studio");
  return name === "connect" && lead(context, "chat.connect.page");
};

/** Leads somebody to their own page. @returns whether anything was said */
export async function lead(
  context: ReplyContext,
  why: "chat.studio" | "chat.connect.page",
): Promise<boolean> {
  const { address, say } = context;
  const way = await wayToStudio(context);
  if (!way) {
    if (why === "chat.studio") await tell(context, address, said(say("chat.studio.off")));
    return why === "chat.studio";
  }
  const open = {
    type: ComponentType.Button,
    style: ButtonStyle.Link,
    label: say("chat.studio.open"),
    url: way.link,
  } as const;
  const here =
    why === "chat.connect.page" ? buttonRows(say, [action("reconnect", "", "chat.connect.here")]) : [];
  const components = [{ type: ComponentType.ActionRow as const, components: [open] }, ...here];
  await tell(context, address, said(say(why), components));
  return true;
}
