import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
// The package's main file is CommonJS whose default export its types misname.
import { TelegramServer } from "telegram-test-api/lib/telegramServer.js";
import { describe, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { testPicture } from "../../support/sandbox.ts";
import { harness } from "./words-harness.ts";

const TOKEN = "700000001:AAFake-token_for-tests";
const ANN = { userId: 5, chatId: 5, firstName: "Ann", timeout: 10_000 };

const fileOf = ({ length }: Buffer) => ({
  file_id: "photo",
  file_unique_id: "photo",
  file_size: length,
  file_path: "photos/file_0.jpg",
});

/** Stands before the emulator, which keeps no files, and serves the one that there is: what `getFile` is asked for. */
async function withFile(api: URL, file: Buffer) {
  const served = new Map<string, Buffer | string>([
    [`/file/bot${TOKEN}/photos/file_0.jpg`, file],
    [`/bot${TOKEN}/getFile`, JSON.stringify({ ok: true, result: fileOf(file) })],
  ]);
  const server = createHttpServer((asked, answer) => {
    const { method, url = "", headers } = asked;
    const own = served.get(url);
    if (own === undefined) {
      const passed = request(new URL(url, api), { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      asked.pipe(passed);
    } else {
      answer.setHeader("content-type", typeof own === "string" ? "application/json" : "image/jpeg");
      answer.end(own);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The bot against another's emulator, and Ann, who talks to it. `await using` stops both. */
async function emulated() {
  // It takes no port 0.
  const server = new TelegramServer({ host: "127.0.0.1", port: await freePort() });
  await server.start();
  const picture = Buffer.from(await testPicture(), "base64");
  const proxy = await withFile(new URL(server.config.apiURL), picture);
  const settings = { TELEGRAM_API_ROOT: proxy.url, TELEGRAM_BOT_TOKEN: TOKEN };
  const bot = await harness({ settings });
  const ann = server.getClient(TOKEN, ANN);
  return {
    commands: (text: string) => ann.sendCommand(ann.makeCommand(text)),
    says: (text: string) => ann.sendMessage(ann.makeMessage(text)),
    /** A photo as the bot is told of it; its file is not the emulator's. */
    sendsPhoto() {
      const photo = [{ file_id: "photo", file_unique_id: "photo", width: 320, height: 240 }];
      return ann.sendMessage(ann.makeMessage("", { photo }));
    },
    /** Presses a button by what it carries, under the bot's last message. */
    presses(data: string) {
      const message_id = server.storage.botMessages.at(-1)?.messageId;
      return ann.sendCallback(ann.makeCallbackQuery(data, { message: { message_id } }));
    },
    /** Waits for new messages of the bot's. */
    hears: async () => (await ann.getUpdates()).result,
    /** Waits for the edit that something leads to. Returns all of the bot's messages as they are now. */
    async seesEdit(act: () => Promise<unknown>) {
      const edited = server.waitBotEdits();
      await act();
      await edited;
      return server.storage.botMessages;
    },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

/** A message of the bot's, as the emulator tells of it. */
const message = (text: string, button: string) => ({
  message: {
    chat_id: ANN.chatId,
    text: expect.stringContaining(text),
    reply_markup: {
      inline_keyboard: expect.arrayContaining([
        expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining(button) })]),
      ]),
    },
  },
});

// telegram-test-api 4 knows getMe, getUpdates, setWebhook, deleteWebhook, sendMessage, editMessageText,
// editMessageReplyMarkup, deleteMessage and answerCallbackQuery. It answers every other method with a 500, so that no
// menu of commands is published, and no picture or video sent; and it refuses nothing. All that is tested with the fake in
// test/support/telegram. A photo is fetched when it comes, from the test itself.
describe("the bot against telegram-test-api", () => {
  it("starts where no menu can be published, and answers commands and words", async () => {
    await using on = await emulated();
    await on.commands("/start");
    expect(await on.hears()).toMatchObject([message("Send me a photo", "✨ Templates")]);
    await on.commands("/balance");
    expect(await on.hears()).toMatchObject([{ message: { text: expect.stringContaining("Balance: ") } }]);
    await on.says("a boat");
    expect(await on.hears()).toMatchObject([
      message("Send me a photo with these words", "Picture from words"),
    ]);
  });

  it("offers what can be made of a photo, and edits the draft until its price is known", async () => {
    await using on = await emulated();
    await on.sendsPhoto();
    expect(await on.hears()).toMatchObject([
      message("What shall I make from this picture?", "Photo to video"),
    ]);
    const chosen = await on.seesEdit(() => on.presses("~d:make:video"));
    expect(chosen).toMatchObject([message("Write what should happen.", "Cancel")]);
    const worded = await on.seesEdit(() => on.says("slow zoom"));
    expect(worded).toMatchObject([message("“slow zoom”", "2.7 tokens")]);
  });
});
