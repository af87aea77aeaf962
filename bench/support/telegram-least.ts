import { Telegraf } from "telegraf";

// Not by `Markup`: its buttons carry a field of telegraf's own, which the fake refuses as unknown to Telegram.
const reply_markup = { inline_keyboard: [[{ text: "Generate", callback_data: "begin" }]] };

// The least that spends by a button: telegraf, an offer under each photo, and an answer to the press before the edit.
const [token = "", apiRoot = ""] = process.argv.slice(2);
const bot = new Telegraf(token, { telegram: { apiRoot } });
bot.on("photo", (context) => context.reply("A film of it?", { reply_markup }));
bot.action("begin", async (context) => {
  await context.answerCbQuery();
  await context.editMessageText("Started.");
});
bot.catch(() => {});
process.once("SIGTERM", () => bot.stop());
await bot.launch();
