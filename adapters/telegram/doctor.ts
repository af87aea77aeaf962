import type { Check } from "../../src/seam/surface/runtime.ts";
import type { TelegramConfig } from "../../src/seam/config.ts";
import { examinePlatform } from "../kit/pipeline/examine.ts";
import { BotApi } from "./api/client.ts";
import { isUnknownToken } from "./api/errors.ts";

const TELEGRAM = {
  name: "telegram",
  title: "Telegram",
  tokenAdvice: "Set TELEGRAM_BOT_TOKEN to the token that BotFather gave.",
  isUnknownToken,
  rootSetting: "TELEGRAM_API_ROOT",
};

/** Whether Telegram knows the bot. */
export function examineTelegram(config: TelegramConfig): Promise<Check> {
  return examinePlatform(TELEGRAM, async (signal) => {
    const me = await new BotApi(config).call<{ username: string }>("getMe", {}, signal);
    return { ok: true, found: `@${me.username}, ${config.webhook ? "by webhook" : "by polling"}` };
  });
}
