import { Readable } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";
import { TelegramError } from "telegraf";
import { describe, expect, it } from "vitest";
import { BotApi } from "../../../../adapters/telegram/api/client.ts";
import { meaningOf, NoAnswer } from "../../../../adapters/telegram/api/errors.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { createServer } from "../../../../src/app/server.ts";
import { PATIENT, transport } from "../transport-harness.ts";

/** A transport, and Ann, who has said hello. */
async function met(options: Parameters<typeof transport>[0] = {}) {
  const harness = await transport(options);
  const ann = harness.telegram.person({ name: "Ann" });
  ann.says("hello");
  const chat = ann.user.id;
  const say = (text: string, more: object = {}) =>
    harness.sender.call("sendMessage", { chat_id: chat, text, ...more }, { chat });
  return { ...harness, ann, chat, say };
}

const clip = () => ({ source: Readable.from([Buffer.from("a film")]), filename: "clip.mp4" });

describe("what Telegram answers", () => {
  it("takes what is shown already for shown", async () => {
    await using harness = await met();
    const { message_id } = await harness.say("hello");
    const edit = { chat_id: harness.chat, message_id, text: "hello" };
    await expect(harness.sender.call("editMessageText", edit, { chat: harness.chat })).resolves.toBe(true);
  });

  it("takes what is gone already for deleted, and a press that is long past for answered", async () => {
    await using harness = await met();
    const { message_id } = await harness.say("hello");
    const target = { chat_id: harness.chat, message_id };
    await harness.sender.call("deleteMessage", target);
    await expect(harness.sender.call("deleteMessage", target)).resolves.toBe(true);
    const press = { callback_query_id: "12" };
    await expect(harness.sender.call("answerCallbackQuery", press)).resolves.toBe(true);
  });

  it("knows where nothing can be posted: blocked, kicked, unknown, a closed topic", async () => {
    await using harness = await met();
    const { telegram, sender, ann, say } = harness;
    ann.blocks();
    const group = telegram.group({ title: "Friends" });
    group.kicksBot();
    const forum = telegram.group({ title: "Forum", forum: true });
    const topic = forum.opensTopic("Films");
    forum.closes(topic);
    const post = (chat: number, more: object = {}) =>
      sender.call("sendMessage", { chat_id: chat, text: "x", ...more }, { chat });
    const attempts = [
      () => say("x"),
      () => post(group.chat.id),
      () => post(12),
      () => post(forum.chat.id, { message_thread_id: topic.id }),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "undeliverable" });
      expect(meaningOf(error)).toBe("unreachable");
    }
    // Each was tried once.
    expect(telegram.calls("sendMessage")).toHaveLength(attempts.length);
  });

  it("says a refusal in Telegram's own words, without what was sent", async () => {
    await using harness = await met();
    const error = await harness.say("<b>unclosed", { parse_mode: "HTML" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TelegramError);
    expect(meaningOf(error)).toBe("refused");
    expect(JSON.stringify(error)).not.toContain("unclosed");
  });

  it("tells a message that is gone from one that cannot be deleted", async () => {
    await using harness = await met();
    const edit = { chat_id: harness.chat, message_id: 4711, text: "x" };
    const gone = await harness.sender
      .call("editMessageText", edit, { chat: harness.chat })
      .catch((reason: unknown) => reason);
    expect(meaningOf(gone)).toBe("message_gone");
    const { message_id } = await harness.say("x");
    harness.telegram.passTime(49 * 3_600_000);
    const old = await harness.sender
      .call("deleteMessage", { chat_id: harness.chat, message_id })
      .catch((reason: unknown) => reason);
    expect(meaningOf(old)).toBe("refused");
  });
});

describe("a group that became a supergroup", () => {
  it("is written to at its new id, in the same call and in every later one, also after a restart", async () => {
    await using harness = await met();
    const { telegram, sender, moves } = harness;
    const group = telegram.group({ title: "Friends" });
    const old = group.chat.id;
    const post = (text: string) => sender.call("sendMessage", { chat_id: old, text }, { chat: old });
    await post("before");
    group.upgrades();
    await post("after");
    await post("later");
    const seen = telegram
      .calls("sendMessage")
      .map(({ params, error }) => [params["chat_id"], Boolean(error)]);
    expect(seen).toEqual([
      [old, false],
      [old, true],
      [group.chat.id, false],
      [group.chat.id, false],
    ]);
    expect(await moves.today(old)).toBe(group.chat.id);
    expect(await harness.memory.get(`moved:${old}`)).toBe(group.chat.id);
  });
});

/** One in the old chat, and another under the same id in the new one. */
async function sameIds(harness: Awaited<ReturnType<typeof met>>) {
  const { telegram, sender } = harness;
  const group = telegram.group({ title: "Friends" });
  const chat = group.chat.id;
  const post = (text: string, more = {}) =>
    sender.call("sendMessage", { chat_id: chat, text, ...more }, { chat });
  await post("the first, as whose id the new chat has a note of its own");
  const { message_id } = await post("before");
  group.upgrades();
  const ann = telegram.person({ name: "Ann" }).in(group);
  const isSameId = ({ id }: { readonly id: number }) => id === message_id;
  for (let last = 0; last < message_id;) ({ message_id: last } = await post("another"));
  const there = () => ann.chat().find((one) => isSameId(one) && one.chatId === group.chat.id);
  expect(there()?.text).toBe("another");
  return { chat, message_id, post, there };
}

describe("a message from before its group became a supergroup", () => {
  it("is neither changed nor deleted any more: its id is another message's there", async () => {
    await using harness = await met();
    const { sender } = harness;
    const { chat, message_id, there } = await sameIds(harness);
    const old = { chat_id: chat, message_id };
    const edit = sender.call("editMessageText", { ...old, text: "after" }, { chat });
    expect(meaningOf(await edit.catch((reason: unknown) => reason))).toBe("message_gone");
    expect(await sender.call("deleteMessage", old, { chat })).toBe(true);
    expect(there()?.text).toBe("another");
  });

  it("is answered by nothing: what would answer it stands alone, unless it is nothing without that", async () => {
    await using harness = await met();
    const { message_id, post } = await sameIds(harness);
    const answer = await post("answer", {
      reply_parameters: { message_id, allow_sending_without_reply: true },
    });
    expect(answer).not.toHaveProperty("reply_to_message");
    const pointer = post("pointer", { reply_parameters: { message_id } });
    expect(meaningOf(await pointer.catch((reason: unknown) => reason))).toBe("message_gone");
  });
});

describe("trouble on the way", () => {
  it("waits as long as a 429 says, and then goes on", async () => {
    await using harness = await met();
    harness.telegram.fails("sendMessage", { kind: "flood", retryAfter: 1 });
    const begin = performance.now();
    await harness.say("hello");
    expect(performance.now() - begin).toBeGreaterThanOrEqual(1_000);
    await harness.ann.sees("hello");
  });

  it("lets the chat rest for a 429, also when what was sent cannot be sent again", async () => {
    await using harness = await met();
    harness.telegram.fails("sendVideo", { kind: "flood", retryAfter: 1 });
    const begin = performance.now();
    const video = { chat_id: harness.chat, video: clip() };
    const error = await harness.sender
      .call("sendVideo", video, { chat: harness.chat })
      .catch((reason: unknown) => reason);
    expect(meaningOf(error)).toBe("flood");
    await harness.say("hello");
    expect(performance.now() - begin).toBeGreaterThanOrEqual(1_000);
  });

  it("does not repeat an edit that nobody waits for: the next one says newer things", async () => {
    await using harness = await met();
    const { message_id } = await harness.say("1 %");
    harness.telegram.fails("editMessageText", { kind: "internal" });
    const show = (text: string) =>
      harness.sender.call(
        "editMessageText",
        { chat_id: harness.chat, message_id, text },
        { chat: harness.chat, idle: "job" },
      );
    const old: unknown = await show("2 %").catch((reason: unknown) => reason);
    expect(meaningOf(old)).toBe("down");
    await show("3 %");
    expect(await harness.ann.sees("3 %")).toMatchObject({ history: [{ text: "1 %" }] });
  });

  it("sends a file again that was refused for its haste", async () => {
    await using harness = await met();
    harness.telegram.fails("sendVideo", { kind: "flood", retryAfter: 1 });
    const film = { source: Buffer.from("a film"), filename: "clip.mp4" };
    await harness.sender.call("sendVideo", { chat_id: harness.chat, video: film }, { chat: harness.chat });
    const { media } = await harness.ann.sees((message) => message.media?.kind === "video");
    expect(String(media?.bytes)).toBe("a film");
  });

  it.each(["reset before", "internal", "bad gateway"] as const)("tries again after %s", async (kind) => {
    await using harness = await met();
    harness.telegram.fails("sendMessage", { kind });
    await harness.say("hello");
    expect(await harness.ann.sees("hello")).toMatchObject({ from: "bot" });
  });

  it.each(["internal", "flood"] as const)(
    "asks once what nobody waits for an answer of, at %s",
    async (kind) => {
      await using harness = await met();
      const { telegram, sender, chat } = harness;
      telegram.fails("getChat", kind === "flood" ? { kind, retryAfter: 3_600 } : { kind }, 10);
      const error: unknown = await sender
        .call("getChat", { chat_id: chat }, { once: true })
        .catch((reason: unknown) => reason);
      expect(meaningOf(error)).toBe(kind === "flood" ? "flood" : "down");
      expect(telegram.calls("getChat")).toHaveLength(1);
    },
  );

  it("does not send a file twice, of which nobody knows whether it arrived", async () => {
    await using harness = await met();
    harness.telegram.fails("sendVideo", { kind: "reset after" });
    const video = { chat_id: harness.chat, video: clip() };
    const error = await harness.sender
      .call("sendVideo", video, { chat: harness.chat })
      .catch((reason: unknown) => reason);
    expect(meaningOf(error)).toBe("down");
    expect(harness.telegram.calls("sendVideo")).toHaveLength(1);
  });

  it("never shows the token, whatever answers instead of Telegram", async () => {
    const server = createServer(async () => []);
    server.routes.post("*", (c) => c.html("<p>Please log in to the hotel's network.</p>"));
    const url = await server.listen("127.0.0.1", 0);
    const token = "700000001:AAFake-token_for-tests";
    const page = new BotApi({ token, apiRoot: url, webhook: false });
    const nobody = new BotApi({ token, apiRoot: "http://127.0.0.1:1", webhook: false });
    const errors = [await page.call("getMe", {}).catch(shown), await nobody.call("getMe", {}).catch(shown)];
    errors.push(await nobody.download("photos/file_1.jpg").catch(shown));
    await server.stop();
    for (const [error, text] of errors as [unknown, string][]) {
      expect(error).toBeInstanceOf(NoAnswer);
      expect(text).not.toContain("AAFake");
    }
  });
});

function shown(error: unknown): [unknown, string] {
  const { message = "", stack = "" } = error instanceof Error ? error : {};
  const cause = error instanceof Error ? String(error.cause) : "";
  return [error, [message, stack, cause, JSON.stringify(error)].join("\n")];
}

describe("how calls go out", () => {
  it("keeps a reply a reply when a file goes with it", async () => {
    await using harness = await met();
    const photo = harness.ann.says("my photo");
    const video = {
      chat_id: harness.chat,
      video: clip(),
      reply_parameters: { message_id: photo.id, allow_sending_without_reply: true },
    };
    await harness.sender.call("sendVideo", video, { chat: harness.chat });
    const seen = await harness.ann.sees(({ media }) => media?.kind === "video");
    expect(seen.replyTo).toBe(photo.id);
  });

  it("finds a Bot API that is not at the root of its server", async () => {
    await using harness = await met();
    const proxy = createServer(async () => []);
    proxy.routes.all("/behind/a/proxy/*", async (c) => {
      const path = c.req.path.slice("/behind/a/proxy".length);
      return fetch(harness.telegram.url + path, { method: "POST" });
    });
    const apiRoot = `${await proxy.listen("127.0.0.1", 0)}/behind/a/proxy`;
    const api = new BotApi({ token: harness.telegram.token, apiRoot, webhook: false });
    await expect(api.call("getMe", {})).resolves.toMatchObject({ username: "reelay_bot" });
    await proxy.stop();
  });

  it("calls methods that telegraf has no types for", async () => {
    await using harness = await met();
    const args = { chat_id: harness.chat, message_ids: [1] };
    await expect(harness.sender.raw("deleteMessages", args)).resolves.toBe(true);
  });

  // As strict as the published limit, and with the short bursts that it speaks of.
  it.each([1, 3])("keeps Telegram's pace with bursts of %d: nothing is refused", async (burst) => {
    await using harness = await met({
      limits: { ...PATIENT, chatBurst: burst, chatMs: 100 },
      pace: { burst, perChatMs: 100, perSecond: 30, perMinuteInGroup: 20 },
    });
    await Promise.all(Array.from({ length: 8 }, (_, nth) => harness.say(`message ${nth}`)));
    expect(harness.telegram.calls("sendMessage").filter(({ error }) => error)).toEqual([]);
    const said = harness.ann.chat().filter(({ from }) => from === "bot");
    expect(said.map(({ text }) => text)).toEqual(Array.from({ length: 8 }, (_, nth) => `message ${nth}`));
  });
});

describe("a stop", () => {
  it("sends nothing that was still waiting, and waits for what is under way", async () => {
    await using harness = await met({
      pace: { burst: 1, perChatMs: 60_000, perSecond: 30, perMinuteInGroup: 20 },
    });
    harness.telegram.fails("sendMessage", { kind: "slow", ms: 200 });
    const first = harness.say("first");
    const second = harness.say("second").catch((reason: unknown) => reason);
    await nextRound();
    await harness.sender.stop(10_000);
    await expect(first).resolves.toMatchObject({ text: "first" });
    // Not as undeliverable: it is to be tried again after the start.
    expect(await second).not.toBeInstanceOf(ReelayError);
    await expect(harness.say("third")).rejects.toThrow(/not sent/);
    expect(harness.telegram.calls("sendMessage")).toHaveLength(1);
  });

  it("gives up an upload that takes longer, and nothing half arrives", async () => {
    await using harness = await met();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const endless = async function* () {
      for (let chunks = 0; ; chunks += 1) {
        yield Buffer.alloc(1_000);
        if (chunks === 3) resolve();
        await nextRound();
      }
    };
    const film = Readable.from(endless());
    const video = { chat_id: harness.chat, video: { source: film, filename: "clip.mp4" } };
    const upload = harness.sender
      .call("sendVideo", video, { chat: harness.chat })
      .catch((reason: unknown) => reason);
    await begun;
    await harness.sender.stop(50);
    expect(await upload).toBeInstanceOf(Error);
    expect(film.destroyed).toBe(true);
    expect(harness.ann.chat().filter(({ from }) => from === "bot")).toEqual([]);
  });
});
