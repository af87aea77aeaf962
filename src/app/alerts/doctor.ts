import { isAddress } from "../../domain/alerts/alerts.ts";
import { checkedUrl, guardedRequest, type Guard } from "../../infrastructure/net/guarded.ts";
import { type Platform, platformOf, type UserId } from "../../seam/values.ts";
import type { SurfaceConfig } from "../../seam/config.ts";
import type { Check } from "../../seam/surface/runtime.ts";
import type { AlertConfig } from "../settings/upkeep.ts";

/** How long an address may take to answer, in milliseconds. */
const ANSWER_MS = 5_000;

const NAME = "alerts";

/** The settings that are looked at. */
interface TellSettings extends Pick<SurfaceConfig, "privateHosts" | "telegram" | "discord" | "whatsapp"> {
  readonly alerts: AlertConfig;
}

/** What the doctor says of the places where operators are told: nothing is posted, which `reelay alerts test` does. */
export function examineAlerts(config: TellSettings, lookup?: Guard["lookup"]): Promise<readonly Check[]> {
  const { alerts, privateHosts } = config;
  const checks = alerts.to.map(async (place) =>
    isAddress(place) ? examineAddress(place, { privateHosts, lookup }) : examineChat(place as UserId, config),
  );
  return Promise.all(checks);
}

function examineChat(place: UserId, config: TellSettings): Check {
  const platform = platformOf(place);
  const [isOn, setting] = switchOf(platform, config);
  if (isOn) return { name: NAME, ok: true, found: `${place}; try it out: reelay alerts test` };
  const advice = `Set ${setting}, or take the chat out of REELAY_ALERTS_TO.`;
  return { name: NAME, ok: false, found: `${place}, on a platform that is not switched on`, advice };
}

/** Whether a platform is switched on, and by which setting it is. */
function switchOf(platform: Platform, config: TellSettings) {
  if (platform === "telegram") return [config.telegram, "TELEGRAM_BOT_TOKEN"] as const;
  if (platform === "discord") return [config.discord, "DISCORD_BOT_TOKEN"] as const;
  return [config.whatsapp, "WHATSAPP_TOKEN"] as const;
}

/** What follows the host often opens something: it is asked nothing, and not shown. */
async function examineAddress(place: string, guard: Guard): Promise<Check> {
  const { origin } = new URL(place);
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await guardedRequest(
      checkedUrl(origin, guard.privateHosts),
      { method: "GET", headers: { "user-agent": "Reelay" }, signal },
      guard,
    );
    answer.body.destroy();
    await answer.end();
    return { name: NAME, ok: true, found: `${origin} answers; try it out: reelay alerts test` };
  } catch {
    const advice = "See that this machine reaches it, or correct REELAY_ALERTS_TO.";
    return { name: NAME, ok: false, found: `${origin} does not answer`, advice };
  }
}
