import type { Finding } from "../../src/seam/surface/setup.ts";
import type { TelegramConfig } from "../../src/seam/config.ts";
import { lookAtPlatform } from "../kit/pipeline/connection.ts";
import { BotApi, PLATFORM } from "./api/client.ts";

/** Whether Telegram knows the bot, with its name and the commands that its menu has by now. */
export function lookAtTelegram(config: TelegramConfig): Promise<Finding> {
  return lookAtPlatform(PLATFORM, async (signal) => {
    const api = new BotApi(config);
    const { username, first_name: name } = await api.call<Me>("getMe", {}, signal);
    const menu = await api.call<readonly MenuCommand[]>("getMyCommands", {}, signal);
    const bot = `@${username}`;
    const commands = menu.map(({ command }) => `/${command}`).join(" ");
    return {
      ok: true,
      found: `${bot}, ${config.webhook ? "by webhook" : "by polling"}`,
      said:
        menu.length === 0
          ? { key: "setup.telegram.found", params: { name, bot } }
          : { key: "setup.telegram.offers", params: { name, bot, commands } },
      link: `https://t.me/${username}`,
    };
  });
}

interface Me {
  readonly username: string;
  readonly first_name: string;
}

interface MenuCommand {
  readonly command: string;
}
