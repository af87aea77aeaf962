import type { Check } from "../../src/seam/surface/runtime.ts";
import type { TelegramConfig } from "../../src/seam/config.ts";
import { examinePlatform } from "../kit/pipeline/connection.ts";
import { BotApi, PLATFORM } from "./api/client.ts";

/** Whether Telegram knows the bot. */
export function examineTelegram(config: TelegramConfig): Promise<Check> {
  return examinePlatform(PLATFORM, async (signal) => {
    const me = await new BotApi(config).call<{ username: string }>("getMe", {}, signal);
    return { ok: true, found: `@${me.username}, ${config.webhook ? "by webhook" : "by polling"}` };
  });
}
