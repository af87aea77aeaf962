import { translator } from "../../../src/common/i18n.ts";
import type { Problem } from "../../../src/seam/views.ts";
import type { DiscordAddress } from "./address.ts";
import type { Services } from "./context.ts";

/** What the bot may not do where a result is to be; what is for one person alone is shown without it. */
export function lackingAt({ replies }: Pick<Services, "replies">, to: DiscordAddress): Problem | undefined {
  const { lacking } = replies.of(to);
  if (lacking === undefined || to.secret) return undefined;
  const say = translator(to.locale);
  return { code: "permission_missing", params: { permission: say(`discord.permission.${lacking}`) } };
}
