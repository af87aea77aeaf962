import { Telegraf } from "telegraf";

// The least that a bot can do: telegraf, and a reply to each message. Without `catch` its first 429 would end it.
const [token = "", apiRoot = ""] = process.argv.slice(2);
const bot = new Telegraf(token, { telegram: { apiRoot } });
bot.on("message", (context) => {
  const { message } = context;
  const reply_parameters = { message_id: message.message_id };
  return context.reply("text" in message ? message.text : "A photo.", { reply_parameters });
});
bot.catch(() => {});
process.once("SIGTERM", () => bot.stop());
await bot.launch();
