import type { Check } from "../../src/chat/runtime.ts";
import type { TelegramConfig } from "../../src/config.ts";
import { BotApi } from "./api/client.ts";
import { isUnknownToken } from "./api/errors.ts";

/** How long the doctor waits for Telegram, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Whether Telegram knows the bot. */
export async function examineTelegram(config: TelegramConfig): Promise<Check> {
  const name = "telegram";
  try {
    const api = new BotApi(config);
    const me = await api.call<{ username: string }>("getMe", {}, AbortSignal.timeout(TIMEOUT_MS));
    const way = config.webhook ? "by webhook" : "by polling";
    return { name, ok: true, found: `@${me.username}, ${way}` };
  } catch (error) {
    return isUnknownToken(error)
      ? {
          name,
          ok: false,
          found: "Telegram does not know the token",
          advice: "Set TELEGRAM_BOT_TOKEN to the token that BotFather gave.",
        }
      : {
          name,
          ok: false,
          found: error instanceof Error ? error.message : String(error),
          advice: "Check the network of this machine, and TELEGRAM_API_ROOT if it is set.",
        };
  }
}
