import type { NoticeView } from "../../../src/seam/views.ts";
import { studioAddress } from "../../../src/seam/surface/sign-in.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { CHAT_COMMANDS, isPrivate, typedName } from "./command-names.ts";

/** How Reelay is used, with every command that is answered where it is asked for: menus list few of them. */
export function helpView({ host, intake, origin, say }: ChatContext): NoticeView {
  const own = CHAT_COMMANDS.filter(
    ({ name }) => name !== "studio" || studioAddress(host.config) !== undefined,
  );
  const specs = intake.commands.filter((spec) => origin.audience === "private" || !isPrivate(spec));
  const commands = [...own, ...specs]
    .map(({ name, description }) => `/${typedName(name)} – ${say(description)}`)
    .join("\n");
  return { kind: "notice", text: { key: "chat.help", params: { text: say("help.text"), commands } } };
}
