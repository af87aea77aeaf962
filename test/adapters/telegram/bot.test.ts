import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Bot } from "../../../adapters/telegram/bot.ts";
import { BotApi } from "../../../adapters/telegram/api/client.ts";
import type { Handler, UpdateContext } from "../../../adapters/telegram/context/context.ts";
import { secretOf, WEBHOOK_PATH } from "../../../adapters/telegram/webhook.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import { createServer } from "../../../src/app/server.ts";
import type { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import { USUAL } from "../../support/telegram/liberties.ts";
import { listening, textOf, transport } from "./transport-harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** Answers each message with what was said in it. */
const echo: Handler = async ({ update, sender, origin }) => {
  const chat = Number(origin.user.split(":")[1]);
  await sender.call("sendMessage", { chat_id: chat, text: `You said: ${textOf(update)}` }, { chat });
  return true;
};

const answers = (telegram: FakeTelegram) =>
  telegram.calls("sendMessage").map(({ params }) => String(params["text"]));

describe("a conversation by polling", () => {
  it("answers each person in their order, and people beside each other", async () => {
    await using harness = await transport();
    const ann = harness.telegram.person({ name: "Ann" });
    const bob = harness.telegram.person({ name: "Bob" });
    const { promise: thought, resolve: think } = Promise.withResolvers<void>();
    const slowWithAnn: Handler = async (context) => {
      if (context.origin.user.endsWith(String(ann.user.id))) await thought;
      return echo(context);
    };
    await using _ = await listening(harness, slowWithAnn);
    for (const text of ["one", "two", "three"]) ann.says(text);
    bob.says("hello");
    await bob.sees("You said: hello");
    think();
    await ann.sees("You said: three");
    const seen = ann.chat().filter(({ from }) => from === "bot");
    expect(seen.map(({ text }) => text)).toEqual(["You said: one", "You said: two", "You said: three"]);
  });

  it("answers in the order of what was said when updates come out of order", async () => {
    await using harness = await transport({ liberties: { ...USUAL, order: "reversed" } });
    const ann = harness.telegram.person({ name: "Ann" });
    for (const text of ["one", "two", "three"]) ann.says(text);
    await using _ = await listening(harness, echo);
    await harness.telegram.until(() => answers(harness.telegram).length === 3);
    expect(answers(harness.telegram)).toEqual(["You said: one", "You said: two", "You said: three"]);
  });

  it.each([
    { kind: "internal" },
    { kind: "bad gateway" },
    { kind: "reset before" },
    { kind: "flood", retryAfter: 1 },
  ] as const)("goes on after $kind", async (fault) => {
    await using harness = await transport();
    harness.telegram.fails("getUpdates", fault);
    await using bot = await listening(harness, echo);
    harness.telegram.person({ name: "Ann" }).says("still there?");
    await harness.telegram.until(() => answers(harness.telegram).includes("You said: still there?"));
    expect(bot.bot.ready).toBe(true);
  });

  it("goes on when another program has taken the updates for a while", async () => {
    await using harness = await transport();
    await using _ = await listening(harness, echo);
    const ann = harness.telegram.person({ name: "Ann" });
    ann.says("one");
    await ann.sees("You said: one");
    // Whoever asks second ends the first one's waiting with a 409.
    await harness.api.call("getUpdates", { timeout: 0, offset: 0 });
    ann.says("two");
    await ann.sees("You said: two");
    expect(harness.lines.join("")).toContain("409");
  });

  it("takes back the updates from a webhook that was set before", async () => {
    await using harness = await transport();
    await harness.api.call("setWebhook", { url: "https://elsewhere.test/telegram" });
    await using _ = await listening(harness, echo);
    const ann = harness.telegram.person({ name: "Ann" });
    ann.says("hello");
    expect(await ann.sees("You said: hello")).toMatchObject({ from: "bot" });
  });

  it("says that a token is wrong as a setting's mistake, without the token", async () => {
    await using harness = await transport();
    const telegram = { token: `${harness.telegram.token}x`, apiRoot: harness.telegram.url, webhook: false };
    const { config, log, routes } = harness.services.host;
    const bot = new Bot({ api: new BotApi(telegram), config, telegram, log, routes });
    const error = await bot.connect().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ mistakes: [{ setting: "TELEGRAM_BOT_TOKEN" }] });
    expect(String(error)).not.toContain(telegram.token);
  });

  it("stops at once, in the middle of a poll", async () => {
    await using harness = await transport();
    const running = await listening(harness, echo);
    const begin = performance.now();
    await running[Symbol.asyncDispose]();
    // A poll lasts fifty seconds.
    expect(performance.now() - begin).toBeLessThan(25_000);
    expect(running.bot.ready).toBe(false);
  });
});

describe("updates that a stop or a crash interrupts", () => {
  it("are dealt with after the next start, those that are done are not", async () => {
    await using harness = await transport();
    const ann = harness.telegram.person({ name: "Ann" });
    const dealt: string[] = [];
    const { promise: never } = Promise.withResolvers<boolean>();
    const { promise: stuck, resolve: sticks } = Promise.withResolvers<void>();
    const dying: Handler = async ({ update }) => {
      if (textOf(update) !== "two") return dealt.push(textOf(update)) > 0;
      sticks();
      return never;
    };
    {
      // Left as a killed process leaves it: in the middle, with more waiting.
      const first = await listening(harness, dying);
      for (const text of ["one", "two", "three"]) ann.says(text);
      await stuck;
      await first.bot.stop();
    }
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const living: Handler = async ({ update }) => {
      if (dealt.push(textOf(update)) === 3) finish();
      return true;
    };
    await using _ = await listening(harness, living);
    await done;
    expect(dealt).toEqual(["one", "two", "three"]);
  });

  it("stay in the inbox when they fail because of the stop", async () => {
    await using harness = await transport();
    const ann = harness.telegram.person({ name: "Ann" });
    const { promise: stopping, reject: stop } = Promise.withResolvers<never>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    {
      const interrupted: Handler = async () => {
        begin();
        return stopping;
      };
      const running = await listening(harness, interrupted);
      ann.says("hello");
      await begun;
      await running.bot.stop();
      await running.dispatcher.stop(0);
      stop(new Error("Reelay stops."));
    }
    await using _ = await listening(harness, echo);
    expect(await ann.sees("You said: hello")).toMatchObject({ from: "bot" });
  });

  it("do not come back when they fail for a reason of their own", async () => {
    await using harness = await transport();
    const ann = harness.telegram.person({ name: "Ann" });
    const broken: Handler = async (context) => {
      if (textOf(context.update) === "poison") throw new Error("a mistake");
      return echo(context);
    };
    {
      await using _ = await listening(harness, broken);
      ann.says("poison");
      ann.says("hello");
      await ann.sees("You said: hello");
    }
    await using _ = await listening(harness, echo);
    ann.says("again");
    await ann.sees("You said: again");
    expect(answers(harness.telegram)).toEqual(["You said: hello", "You said: again"]);
    expect(harness.lines.join("")).toContain("a mistake");
  });
});

/** The bot behind a webhook, on a server of its own. */
async function behindWebhook(harness: Awaited<ReturnType<typeof transport>>, handler: Handler) {
  const server = createServer(async () => []);
  const publicUrl = await server.listen("127.0.0.1", 0);
  // The routes must be there before the first request; the address must be known before the bot.
  const running = await listening(harness, handler, { routes: server.routes, publicUrl });
  return {
    url: `${publicUrl}${WEBHOOK_PATH}`,
    ...running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

describe("a conversation by webhook", () => {
  it("answers what Telegram brings", async () => {
    await using harness = await transport();
    await using _ = await behindWebhook(harness, echo);
    const ann = harness.telegram.person({ name: "Ann" });
    ann.says("hello");
    expect(await ann.sees("You said: hello")).toMatchObject({ from: "bot" });
    // Nothing travels in the webhook's answer, where errors are invisible.
    expect(answers(harness.telegram)).toHaveLength(1);
  });

  it("believes nobody but Telegram", async () => {
    await using harness = await transport();
    const heard: UpdateContext[] = [];
    await using bot = await behindWebhook(harness, async (context) => heard.push(context) > 0);
    const update = { update_id: 1, message: { message_id: 1, date: 1, text: "forged" } };
    const send = (headers: Record<string, string>, body = JSON.stringify(update)) =>
      fetch(bot.url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
    const name = "x-telegram-bot-api-secret-token";
    expect((await send({})).status).toBe(401);
    expect((await send({ [name]: "guess" })).status).toBe(401);
    expect((await send({ [name]: harness.telegram.token })).status).toBe(401);
    const secret = secretOf(harness.telegram.token);
    expect(secret).not.toContain(harness.telegram.token);
    expect((await send({ [name]: secret }, "no JSON")).status).toBe(400);
    expect((await send({ [name]: secret }, "{}")).status).toBe(400);
    expect((await send({ [name]: secret }, "x".repeat(2_000_000))).status).toBe(413);
    expect(heard).toEqual([]);
  });

  it("deals once with an update that is brought several times, also at once, also after a restart", async () => {
    await using harness = await transport();
    const heard: number[] = [];
    const handler: Handler = async ({ update }) => heard.push(update.update_id) > 0;
    const from = { id: 5, is_bot: false, first_name: "Ann" };
    const chat = { id: 5, type: "private", first_name: "Ann" };
    const update = { update_id: 9, message: { message_id: 1, date: 1, from, chat, text: "hello" } };
    const headers = { "x-telegram-bot-api-secret-token": secretOf(harness.telegram.token) };
    for (let start = 0; start < 2; start++) {
      await using bot = await behindWebhook(harness, handler);
      const bring = () => fetch(bot.url, { method: "POST", body: JSON.stringify(update), headers });
      const brought = await Promise.all([bring(), bring(), bring()]);
      expect(brought.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(heard).toEqual([9]);
  });

  it("deals with what somebody does in its order, whichever call is the first to arrive", async () => {
    await using harness = await transport();
    const heard: string[] = [];
    await using bot = await behindWebhook(harness, async ({ update }) => heard.push(textOf(update)) > 0);
    const from = { id: 5, is_bot: false, first_name: "Ann" };
    const chat = { id: 5, type: "private", first_name: "Ann" };
    const headers = { "x-telegram-bot-api-secret-token": secretOf(harness.telegram.token) };
    // However slow the machine is, nobody loses patience between two of them.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const id of [12, 11, 13, 15, 14]) {
      const message = { message_id: id, date: id, from, chat, text: String(id) };
      const body = JSON.stringify({ update_id: id, message });
      expect((await fetch(bot.url, { method: "POST", body, headers })).status).toBe(200);
    }
    vi.advanceTimersByTime(500);
    vi.useRealTimers();
    await vi.waitFor(() => expect(heard).toHaveLength(5), { timeout: PATIENCE_MS });
    expect(heard).toEqual(["11", "12", "13", "14", "15"]);
  });

  it("tells Telegram to come again while it is not listening", async () => {
    await using harness = await transport();
    await using bot = await behindWebhook(harness, echo);
    await bot.bot.stop();
    const headers = { "x-telegram-bot-api-secret-token": secretOf(harness.telegram.token) };
    const { status } = await fetch(bot.url, { method: "POST", body: '{"update_id":1}', headers });
    expect(status).toBe(503);
  });

  it("says that Telegram does not take the address as a setting's mistake", async () => {
    await using harness = await transport();
    const { routes } = createServer(async () => []);
    const attempt = listening(harness, echo, { routes, publicUrl: "http://reelay.test" });
    await expect(attempt).rejects.toMatchObject({ mistakes: [{ setting: "REELAY_PUBLIC_URL" }] });
  });
});
