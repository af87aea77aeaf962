import { z } from "zod";
import { baseAddress, whole } from "./kinds.ts";
import { chatEntries } from "./set-up.ts";

/** The id of a bot, and its secret (Bot API, "Authorizing your bot"). */
const TELEGRAM = /(?<![\w-])\d{6,}:[\w-]{20,}(?![\w-])/;

/** Three parts, the first of which is the id of the bot's account in base64; other tokens have three parts, too. */
const DISCORD = /(?<![\w.-])([\w-]{22,28})\.[\w-]{5,8}\.[\w-]{25,}(?![\w.-])/;

function isDiscords(text: string): boolean {
  const [, id = ""] = DISCORD.exec(text) ?? [];
  return /^\d{17,20}$/.test(Buffer.from(id, "base64url").toString("latin1"));
}

/** The settings of Telegram and Discord; the descriptions are those of docs/settings.md. */
export const chatSettings = {
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, { error: "the token that BotFather gave" })
    .optional()
    .describe("Switches Telegram on: the token that BotFather gave.")
    .register(chatEntries, {
      step: "telegram",
      kind: "secret",
      wrong: "setup.wrong.telegram",
      token: { isIn: (text) => TELEGRAM.test(text), said: "setup.wrong.is_telegram" },
    }),
  TELEGRAM_BOT_ID: whole(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      "Where the bot runs elsewhere: its id, the number before the colon of its token. People sign in on everybody's page with it.",
    ),
  TELEGRAM_API_ROOT: baseAddress
    .optional()
    .describe("Another Bot API server, such as a local one, which takes larger files."),
  TELEGRAM_WEBHOOK: z
    .enum(["0", "1"], { error: "0 or 1" })
    .default("0")
    .describe("`1`: Telegram calls `REELAY_PUBLIC_URL` instead of being asked for news."),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, { error: "the bot's token from Discord's developer portal" })
    .optional()
    .describe("Switches Discord on: the bot's token from Discord's developer portal.")
    .register(chatEntries, {
      step: "discord",
      kind: "secret",
      wrong: "setup.wrong.discord",
      token: { isIn: isDiscords, said: "setup.wrong.is_discord" },
    }),
  DISCORD_API_ROOT: baseAddress
    .optional()
    .describe("Another server with Discord's API, without the version (`/v10`), such as a proxy."),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: "64 hex digits: the public key from Discord's developer portal" })
    .optional()
    .describe(
      "The application's public key: interactions come to `/discord/interactions` over HTTP, without a gateway connection.",
    )
    .register(chatEntries, { step: "discord", kind: "text", wrong: "setup.wrong.public_key" }),
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{17,20}$/, { error: "the client id from Discord's developer portal, a number" })
    .optional()
    .describe(
      "With `DISCORD_CLIENT_SECRET`: people sign in on everybody's page by Discord itself, without a link from the bot.",
    ),
  DISCORD_CLIENT_SECRET: z
    .string()
    .regex(/^[\w-]{16,}$/, { error: "the client secret from Discord's developer portal" })
    .optional()
    .describe("The client secret that belongs to `DISCORD_CLIENT_ID`."),
};
