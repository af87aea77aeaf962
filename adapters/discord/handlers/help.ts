import type { Translate } from "../../../src/common/i18n.ts";
import { callOf } from "../commands/command-call.ts";
import type { Handler, ReplyContext } from "../context/context.ts";
import { MENUS } from "../commands/menus.ts";
import { said } from "../messages/render.ts";

/** The commands that the help names. */
const NAMED = ["make", "templates", "jobs", "balance", "settings", "connect"] as const;

/** Says how Reelay is used here: by commands, and by what Discord offers under a message. */
export const helpHandler: Handler = async (context) => {
  if (callOf(context.interaction)?.name !== "help") return false;
  await context.reply.tell(said(helpText(context)));
  return true;
};

/** How Reelay is used here, as Discord formats it. */
export function helpText({ host, say }: Pick<ReplyContext, "host" | "say">): string {
  // Messages come by the gateway alone.
  const byMessage = host.config.discord?.publicKey === undefined ? [say("discord.help.messages")] : [];
  return [say("discord.help", namesIn(say)), ...byMessage].join("\n\n");
}

/** What is offered, as Discord shows it in the person's language. */
function namesIn(say: Translate): Record<string, string> {
  return {
    ...Object.fromEntries(NAMED.map((name) => [name, say(`discord.name.${name}`)])),
    private: say("discord.option.private"),
    animate: say(MENUS.animate),
    edit: say(MENUS.edit),
  };
}
