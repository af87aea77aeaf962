import { translator } from "../../../src/common/i18n.ts";
import type { Problem } from "../../../src/seam/views.ts";
import type { DiscordAddress } from "./address.ts";
import type { Services } from "./context.ts";
import { needsRights } from "./permissions.ts";

/**
 * What the bot may not do where a result is to be; what is for one person alone is shown without it. An interaction says
 * so; where there is none, Discord is asked.
 * @returns `unknown` where Discord does not tell
 */
export async function lackingAt(
  { replies, rights }: Pick<Services, "replies" | "rights">,
  to: DiscordAddress,
): Promise<Problem | "unknown" | undefined> {
  if (to.secret || !needsRights(to)) return undefined;
  const live = replies.live(to);
  const lacking = live ? live.lacking : await rights.lackingIn(to);
  if (lacking === undefined || lacking === "unknown") return lacking;
  const say = translator(to.locale);
  const params = { permission: say(`discord.permission.${lacking}`), channel: `<#${to.channel}>` };
  return { code: "permission_missing", params };
}
