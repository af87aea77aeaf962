/** The id of a bot, and its secret (Bot API, "Authorizing your bot"). */
const TELEGRAM = /(?<![\w-])\d{6,}:[\w-]{20,}(?![\w-])/;

/** Three parts, the first of which is the id of the bot's account in base64; other tokens have three parts, too. */
const DISCORD = /(?<![\w.-])([\w-]{22,28})\.[\w-]{5,8}\.[\w-]{25,}(?![\w.-])/;

/** The setting that a token in what was entered belongs to, where that is another one than it was entered for. */
export function misplaced(setting: string, entered: string): string | undefined {
  const found = isTelegrams(entered)
    ? "TELEGRAM_BOT_TOKEN"
    : isDiscords(entered)
      ? "DISCORD_BOT_TOKEN"
      : undefined;
  return found === setting ? undefined : found;
}

const isTelegrams = (text: string) => TELEGRAM.test(text);

function isDiscords(text: string): boolean {
  const [, id = ""] = DISCORD.exec(text) ?? [];
  return /^\d{17,20}$/.test(Buffer.from(id, "base64url").toString("latin1"));
}
