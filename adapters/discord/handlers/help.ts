import type { Translate } from "../../../src/common/i18n.ts";
import { callOf } from "../commands/command-call.ts";
import type { Handler } from "../context/context.ts";
import { MENUS } from "../commands/menus.ts";
import { said } from "../messages/render.ts";

/** The commands that the help names. */
const NAMED = ["make", "templates", "jobs", "balance", "settings", "connect"] as const;

/** Says how Reelay is used here: by commands, and by what Discord offers under a message. */
export const helpHandler: Handler = async (context) => {
  if (callOf(context.interaction)?.name !== "help") return false;
  const { host, reply, say } = context;
  // Messages come by the gateway alone.
  const byMessage = host.config.discord?.publicKey === undefined ? [say("discord.help.messages")] : [];
  await reply.tell(said([say("discord.help", namesIn(say)), ...byMessage].join("\n\n")));
  return true;
};

/** What is offered, as Discord shows it in the person's language. */
function namesIn(say: Translate): Record<string, string> {
  return {
    ...Object.fromEntries(NAMED.map((name) => [name, say(`discord.name.${name}`)])),
    private: say("discord.option.private"),
    animate: say(MENUS.animate),
    edit: say(MENUS.edit),
  };
}
