import { describe, expect, it } from "vitest";
import { createServer } from "../../../src/app/server.ts";
import { bareBot, button, form, met, picture } from "../../support/telegram/bare-bot.ts";
import { builtInDescription } from "../../support/telegram/built-in.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";
import { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import { loadDescription } from "../../support/telegram/load-description.ts";
import type { Message, Update } from "../../support/telegram/wire.ts";

describe("its sending limits", () => {
  it("lets a short burst through to a chat, then one message a second; edits count", async () => {
    await using fake = await met({ timeScale: STANDS_STILL });
    const send = () => fake.bot("sendMessage", { ...fake.toAnn, text: "x" });
    await Promise.all([send(), send(), send()]);
    const edit = { ...fake.toAnn, message_id: 2, text: "y" };
    expect(await fake.bot("editMessageText", edit)).toEqual({
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 1",
      parameters: { retry_after: 1 },
    });
    fake.telegram.passTime(1000);
    expect(await fake.bot("editMessageText", edit)).toMatchObject({ ok: true });
    expect(await send()).toMatchObject({ error_code: 429 });
  });

  it("takes 20 messages a minute in a group, where an album counts as its items", async () => {
    await using fake = await met({ limits: { chatBurst: 100 }, timeScale: STANDS_STILL });
    const group = fake.telegram.group({ title: "Friends" });
    const send = () => fake.bot("sendMessage", { chat_id: group.chat.id, text: "x" });
    for (let sent = 0; sent < 18; sent += 1) expect(await send()).toMatchObject({ ok: true });
    const album = { media: '[{"type":"photo","media":"attach://a"},{"type":"photo","media":"attach://a"}]' };
    const fields = form({ chat_id: String(group.chat.id), a: await picture(9, 9), ...album });
    expect(await fake.bot("sendMediaGroup", fields)).toMatchObject({ ok: true });
    const { parameters } = await send();
    expect(parameters?.retry_after).toBeGreaterThan(50);
    fake.telegram.passTime(60_000);
    expect(await send()).toMatchObject({ ok: true });
  });

  it("takes 30 messages a second altogether", async () => {
    await using telegram = await FakeTelegram.start({ timeScale: STANDS_STILL });
    const bot = bareBot(telegram);
    const people = Array.from({ length: 31 }, (_, number) => telegram.person({ name: `P${number}` }));
    const answers = await Promise.all(
      people.map((person) => {
        person.says("hello");
        return bot("sendMessage", { chat_id: person.user.id, text: "x" });
      }),
    );
    expect(answers.filter(({ error_code }) => error_code === 429)).toHaveLength(1);
  });
});

describe("chats that the bot cannot write to", () => {
  it("refuses strangers, those who never wrote, and those who block it", async () => {
    await using fake = await met();
    const said = async (chat_id: number) =>
      (await fake.bot("sendMessage", { chat_id, text: "x" })).description;
    const bob = fake.telegram.person({ name: "Bob" });
    expect(await said(12)).toBe("Bad Request: chat not found");
    const nowhere = form({ chat_id: "12", photo: Buffer.from("no picture") });
    expect(await fake.bot("sendPhoto", nowhere)).toMatchObject({
      description: "Bad Request: chat not found",
    });
    expect(await said(bob.user.id)).toBe("Forbidden: bot can't initiate conversation with a user");
    fake.ann.blocks();
    expect(await said(fake.ann.user.id)).toBe("Forbidden: bot was blocked by the user");
    expect(() => fake.ann.says("again")).toThrow("has blocked the bot");
    fake.ann.unblocks();
    expect(await said(fake.ann.user.id)).toBeUndefined();
  });

  it("refuses groups that kicked it, moved, or closed the topic", async () => {
    await using fake = await met();
    const group = fake.telegram.group({ title: "Friends" });
    const send = (more: object = {}) =>
      fake.bot("sendMessage", { chat_id: group.chat.id, text: "x", ...more });
    group.kicksBot();
    expect(await send()).toMatchObject({ description: "Forbidden: bot was kicked from the group chat" });
    group.addsBot();
    const old = group.chat.id;
    group.upgrades();
    expect(await send({ chat_id: old })).toMatchObject({
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: group.chat.id },
    });
    expect(await send()).toMatchObject({ ok: true });
    await fake.bot("leaveChat", { chat_id: group.chat.id });
    expect(await send()).toMatchObject({
      description: "Forbidden: bot is not a member of the supergroup chat",
    });

    const forum = fake.telegram.group({ title: "Forum", forum: true });
    const topic = forum.opensTopic("Videos");
    const inTopic = { chat_id: forum.chat.id, message_thread_id: topic.id };
    const here = fake.ann.in(forum, topic);
    await send(inTopic);
    await send({ ...inTopic, message_thread_id: undefined, text: "elsewhere" });
    expect(here.chat().map(({ text }) => text)).toEqual(["x"]);
    forum.closes(topic);
    expect(await send(inTopic)).toMatchObject({ description: "Bad Request: TOPIC_CLOSED" });
    forum.reopens(topic);
    expect(await send(inTopic)).toMatchObject({ ok: true });
  });

  it("keeps what does not concern the bot from it in groups", async () => {
    await using fake = await met();
    const ann = fake.ann.in(fake.telegram.group({ title: "Friends" }));
    ann.says("lovely weather");
    ann.says("/balance@other_bot");
    ann.says("/balance@reelay_bot");
    ann.says("@reelay_bot, a video please");
    const texts = (await fake.updates()).flatMap(({ message }) => message?.text ?? []);
    expect(texts).toEqual(["hello", "/balance@reelay_bot", "@reelay_bot, a video please"]);
  });
});

describe("how updates come", () => {
  it("to a poll that waits, confirmed by the next one's offset", async () => {
    await using fake = await met();
    const [hello] = await fake.updates();
    const next = { offset: (hello?.update_id ?? 0) + 1 };
    const waiting = fake.updates({ ...next, timeout: 50 });
    await fake.bot("getMe");
    fake.ann.says("more");
    expect(await waiting).toMatchObject([{ update_id: next.offset, message: { text: "more" } }]);
    expect(await fake.updates({ offset: next.offset + 1 })).toEqual([]);
  });

  it("to the newer of two polls", async () => {
    await using fake = await met();
    await fake.updates({ offset: 1e9 });
    const older = fake.bot("getUpdates", { timeout: 50 });
    await fake.bot("getMe");
    const newer = fake.updates({ timeout: 50 });
    expect(await older).toMatchObject({
      error_code: 409,
      description:
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    });
    fake.ann.says("more");
    expect(await newer).toHaveLength(1);
  });

  it("to a webhook, with its secret, again until it takes them, and in order", async () => {
    await using fake = await met({ timeScale: 0.01 });
    const taken: (string | undefined)[] = [];
    const secrets = new Set<string | undefined>();
    let attempts = 0;
    const server = createServer(async () => []);
    server.routes.post("/hook", async (context) => {
      secrets.add(context.req.header("x-telegram-bot-api-secret-token"));
      attempts += 1;
      if (attempts <= 2) return context.text("not now", 503);
      taken.push((await context.req.json<Update>()).message?.text);
      return context.json({ method: "sendMessage", ...fake.toAnn, text: "by the way" });
    });
    const url = `${await server.listen("127.0.0.1", 0)}/hook`;
    expect(await fake.bot("setWebhook", { url: "http://example.org" })).toMatchObject({
      description: "Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    });
    await fake.bot("setWebhook", { url, secret_token: "s3cret" });
    fake.ann.says("more");
    await fake.ann.sees("by the way");
    await fake.telegram.until(() => taken.length === 2);
    expect(taken).toEqual(["hello", "more"]);
    expect([...secrets]).toEqual(["s3cret"]);
    expect(await fake.bot("getUpdates")).toMatchObject({ error_code: 409 });
    await server.stop();
  });
});

describe("how calls come", () => {
  it("by GET, as a form, or as JSON; with numbers and objects as text where they must be", async () => {
    await using fake = await met();
    const reply = JSON.stringify({ message_id: 1 });
    const fields = { chat_id: String(fake.ann.user.id), text: "x", protect_content: "true" };
    const query = new URLSearchParams({ ...fields, reply_parameters: reply });
    const url = `${fake.telegram.url}/bot${fake.telegram.token}/sendMessage`;
    await fetch(`${url}?${query.toString()}`);
    await fetch(url, { method: "POST", body: query });
    await fake.bot("sendMessage", form({ ...fields, reply_parameters: reply }));
    await fake.bot("sendMessage", { ...fields, reply_parameters: { message_id: 1 } });
    const calls = fake.telegram.calls("sendMessage").map(({ params }) => params);
    const understood = { text: "x", protect_content: true, reply_parameters: { message_id: 1 } };
    expect(calls).toEqual(Array.from({ length: 4 }, () => ({ ...fake.toAnn, ...understood })));
    expect(await fake.bot("sendMessage", { ...fields, reply_parameters: "{" })).toMatchObject({
      description: 'Bad Request: can\'t parse "reply_parameters" as JSON',
    });
  });
});

describe("faults on demand", () => {
  it("answer with errors, a proxy's page, or break the connection before or after", async () => {
    await using fake = await met();
    const send = (text: string) => fake.bot("sendMessage", { ...fake.toAnn, text });
    fake.telegram.fails("sendMessage", { kind: "flood", retryAfter: 7 });
    fake.telegram.fails("sendMessage", { kind: "internal" });
    fake.telegram.fails("sendMessage", { kind: "bad gateway" });
    fake.telegram.fails("sendMessage", { kind: "reset before" });
    fake.telegram.fails("sendMessage", { kind: "reset after" });
    fake.telegram.fails("sendMessage", { kind: "slow", ms: 5 });
    expect(await send("flood")).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
    expect(await send("internal")).toMatchObject({ error_code: 500 });
    await expect(send("page")).rejects.toThrow("not valid JSON");
    await expect(send("before")).rejects.toThrow("fetch failed");
    await expect(send("after")).rejects.toThrow("fetch failed");
    expect(await send("slow")).toMatchObject({ ok: true });
    expect(fake.ann.chat().map(({ text }) => text)).toEqual(["hello", "after", "slow"]);
    expect(await bareBot({ url: fake.telegram.url, token: "1:x" })("getMe")).toMatchObject({
      error_code: 401,
    });
    expect(await fake.bot("sendDice", fake.toAnn)).toMatchObject({ error_code: 404 });
  });
});

describe("people", () => {
  it("offer photos in several sizes, albums as messages of one group, and mark commands", async () => {
    await using fake = await met();
    const photo = await picture(1000, 500);
    await fake.ann.sendsPhoto(photo, { caption: "/video of this" });
    await fake.ann.sendsAlbum([photo, photo], { caption: "both" });
    const [, single, first, second] = (await fake.updates()).map(({ message }) => message);
    expect(single?.photo?.map(({ width }) => width)).toEqual([90, 320, 800, 1000]);
    expect(single?.caption_entities).toEqual([{ type: "bot_command", offset: 0, length: 6 }]);
    expect([first?.caption, second?.caption]).toEqual(["both", undefined]);
    expect(first?.media_group_id).toBe(second?.media_group_id);
    expect(first?.from.language_code).toBe("de");
  });

  it("see what the bot sends, press its buttons, and see edits and deletions", async () => {
    await using fake = await met();
    const photo = await picture(64, 64);
    const fields = { chat_id: String(fake.ann.user.id), caption: "<i>done</i>", parse_mode: "HTML" };
    const video = { video: Buffer.from("an mp4"), thumbnail: photo, width: "9", height: "16", duration: "5" };
    const reply = { reply_parameters: '{"message_id":1}', supports_streaming: "true" };
    const markup = { reply_markup: JSON.stringify(button("again:7")) };
    await fake.bot("sendVideo", form({ ...fields, ...video, ...reply, ...markup }));
    const seen = await fake.ann.sees(/^done$/);
    expect(seen).toMatchObject({ replyTo: 1, buttons: [["Go"]], from: "bot" });
    expect(seen.media).toMatchObject({ width: 9, height: 16, duration: 5, supportsStreaming: true });
    expect([seen.media?.bytes.toString(), seen.media?.thumbnail?.length]).toEqual(["an mp4", photo.length]);
    expect(fake.telegram.calls("sendVideo")[0]?.params).toMatchObject({ duration: 5 });

    await fake.ann.presses("Go");
    const query = (await fake.updates({ offset: -1 }))[0]?.callback_query;
    expect(query).toMatchObject({ data: "again:7", message: { message_id: seen.id } });
    await fake.bot("answerCallbackQuery", { callback_query_id: query?.id, text: "Coming", show_alert: true });
    expect(await fake.ann.hears("Coming")).toEqual({ text: "Coming", alert: true });

    const gone = fake.ann.losesSightOf(seen);
    await fake.bot("deleteMessage", { ...fake.toAnn, message_id: seen.id });
    await gone;
    await expect(fake.ann.sees("done", { within: 20 })).rejects.toThrow("Ann: hello");
  });

  it("only count what is new when they want something fresh", async () => {
    await using fake = await met();
    const send = () => fake.bot<Message>("sendMessage", { ...fake.toAnn, text: "balance" });
    await send();
    fake.ann.says("again");
    await expect(fake.ann.sees("balance", { fresh: true, within: 20 })).rejects.toThrow("did not see");
    const { result } = await send();
    expect(await fake.ann.sees("balance", { fresh: true })).toMatchObject({ id: result.message_id });
  });

  it("search inline, share a result, and press on it", async () => {
    await using fake = await met();
    const asked = fake.ann.asksInline("snow");
    const inline_query_id = (await fake.updates({ offset: -1 }))[0]?.inline_query?.id;
    const content = { input_message_content: { message_text: "Snow" }, reply_markup: button("t_1") };
    const results = [{ type: "article", id: "1", title: "Snow", ...content }];
    await fake.bot("answerInlineQuery", { inline_query_id, results });
    const [result] = (await asked).results;
    const bob = fake.telegram.person({ name: "Bob" }).in(fake.telegram.group({ title: "Friends" }));
    if (result) bob.chooses(result);
    await bob.presses("Go");
    const { inline_message_id } = (await fake.updates({ offset: -1 }))[0]?.callback_query ?? {};
    await fake.bot("editMessageText", { inline_message_id, text: "Snowed" });
    expect(await bob.sees("Snowed")).toMatchObject({ sender: "Bob", buttons: [] });
  });

  it("follow a link from a group into the private chat, and edit what they wrote", async () => {
    await using fake = await met();
    const group = fake.telegram.group({ title: "Friends" });
    const link = {
      inline_keyboard: [[{ text: "In private", url: "https://t.me/reelay_bot?start=connect" }]],
    };
    await fake.bot("sendMessage", { chat_id: group.chat.id, text: "Not here", reply_markup: link });
    await fake.ann.in(group).presses("In private");
    const said = fake.ann.chat().at(-1);
    expect(said?.text).toBe("/start connect");
    if (said) fake.ann.edits(said, "/start now");
    expect(await fake.updates({ offset: -1 })).toMatchObject([{ edited_message: { text: "/start now" } }]);
  });
});

/** Without it the fake says so in a sentence. */
const specs = process.env["REELAY_TEST_SPECS"];

describe("the description", () => {
  it.runIf(specs)(
    "that is built in says of each method and object no more than the official one",
    async () => {
      const [{ methods, types }, own] = [await loadDescription(), builtInDescription()];
      for (const [name, { fields = [] }] of Object.entries({ ...own.methods, ...own.types })) {
        const named = (methods[name] ?? types[name])?.fields ?? [];
        // What is a union there may be one of its objects here.
        const spelled = JSON.stringify(named).replaceAll("InputMessageContent", "InputTextMessageContent");
        const known = JSON.parse(spelled) as typeof named;
        for (const field of fields) {
          const { types: allowed = [], required } = known.find((one) => one.name === field.name) ?? {};
          expect([...allowed], `${name}.${field.name}`).toEqual(expect.arrayContaining([...field.types]));
          expect(field.required, `${name}.${field.name}`).toBe(required);
        }
        const needed = known.filter(({ required }) => required).map((field) => field.name);
        expect(fields.map((field) => field.name)).toEqual(expect.arrayContaining(needed));
      }
    },
  );

  it.runIf(specs)("that is official is what calls are held against", async () => {
    await using fake = await met();
    const send = (more: object) => fake.bot("sendMessage", { ...fake.toAnn, text: "x", ...more });
    expect(await send({ message_effect_id: "1" })).toMatchObject({ ok: true });
    const keyboard = [[{ text: "x", request_contact: true, color: "red" }]];
    expect(await send({ reply_markup: { keyboard } })).toMatchObject({
      description: 'Bad Request: KeyboardButton has no field "color" (reply_markup.keyboard[0][0])',
    });
  });
});

describe("a crowd", () => {
  it("of a thousand sends a photo each, and is answered in order, for hardly more each than a hundred cost", async () => {
    const hundred = await crowd(100);
    expect(await crowd(1000)).toBeLessThan(3 * hundred);
  });
});

/** So many send a photo each, and are answered. @returns milliseconds of a processor for each: time passes for others, too */
async function crowd(count: number): Promise<number> {
  await using telegram = await FakeTelegram.start({ lean: true, limits: { botMessages: 1e6 } });
  const bot = bareBot(telegram);
  const photo = await picture(800, 600);
  const people = Array.from({ length: count }, (_, number) => telegram.person({ name: `P${number}` }));
  const began = process.cpuUsage();
  await Promise.all(people.map((person) => person.sendsPhoto(photo)));
  for (let offset = 0, left = people.length; left > 0;) {
    const { result } = await bot<readonly Update[]>("getUpdates", { offset, timeout: 5 });
    await Promise.all(
      result.map(({ message }) => bot("sendMessage", { chat_id: message?.chat.id, text: "Thanks" })),
    );
    left -= result.length;
    offset = (result.at(-1)?.update_id ?? 0) + 1;
  }
  await Promise.all(people.map((person) => person.sees("Thanks")));
  expect(telegram.calls()).toEqual([]);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / count;
}
