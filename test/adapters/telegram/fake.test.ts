import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { button, form, met, picture } from "../../support/telegram/bare-bot.ts";

let small: Buffer;
let wide: Buffer;
beforeAll(async () => {
  small = await picture(300, 200);
  wide = await picture(2000, 50);
});

/** A keyboard of equal buttons. */
const rows = (count: number, columns: number) => ({
  inline_keyboard: Array.from({ length: count }, () =>
    Array.from({ length: columns }, () => ({ text: "x", callback_data: "x" })),
  ),
});
const html = (text: string) => ({ text, parse_mode: "HTML" });

describe("what it refuses of a message", () => {
  it.each<[what: string, params: object, description: string]>([
    ["an unknown parameter", { text: "x", colour: "red" }, 'sendMessage has no parameter "colour"'],
    ["a missing text", {}, "message text is empty"],
    ["a blank text", { text: " \n" }, "message text is empty"],
    ["a text that is a number", { text: 5 }, "text must be of type String"],
    ["4097 characters", { text: "é".repeat(4097) }, "message is too long"],
    ["an open tag", html("<b>x"), `can't parse entities: Can't find end tag corresponding to start tag "b"`],
    [
      "an unknown tag",
      html("é <blink>x"),
      `can't parse entities: Unsupported start tag "blink" at byte offset 3`,
    ],
    [
      "tags closed in the wrong order",
      html("<b><i>x</b></i>"),
      `can't parse entities: Unmatched end tag at byte offset 7, expected "</i>", found "</b>"`,
    ],
    ["a stray end tag", html("x</b>"), "can't parse entities: Unexpected end tag at byte offset 1"],
    ["65 bytes of callback_data", { text: "x", reply_markup: button("x".repeat(65)) }, "BUTTON_DATA_INVALID"],
    [
      "a button without a deed",
      { text: "x", reply_markup: button("") },
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      "a button without a text",
      { text: "x", reply_markup: { inline_keyboard: [[{ text: "", callback_data: "x" }]] } },
      'can\'t parse inline keyboard button: Field "text" must be non-empty',
    ],
    ["an empty keyboard", { text: "x", reply_markup: rows(0, 0) }, "inline keyboard is empty"],
    ["101 buttons", { text: "x", reply_markup: rows(101, 1) }, "REPLY_MARKUP_TOO_LONG"],
    [
      "a button with an unknown field",
      { text: "x", reply_markup: { inline_keyboard: [[{ text: "x", callback_data: "x", size: 2 }]] } },
      'InlineKeyboardButton has no field "size" (reply_markup.inline_keyboard[0][0])',
    ],
    [
      "a reply to nothing",
      { text: "x", reply_parameters: { message_id: 99 } },
      "message to be replied not found",
    ],
    ["a topic where there are none", { text: "x", message_thread_id: 9 }, "message thread not found"],
  ])("%s", async (_what, params, description) => {
    await using fake = await met();
    const answer = await fake.bot("sendMessage", { ...fake.toAnn, ...params });
    expect(answer).toEqual({ ok: false, error_code: 400, description: `Bad Request: ${description}` });
    expect(fake.ann.chat()).toHaveLength(1);
  });

  it("counts what is left after parsing, in code points", async () => {
    await using fake = await met();
    const text = `<b>${"😀".repeat(4000)}</b>${"&amp;".repeat(96)}`;
    expect(await fake.bot("sendMessage", { ...fake.toAnn, ...html(text) })).toMatchObject({ ok: true });
    expect(fake.ann.chat().at(-1)?.message.entities).toEqual([{ type: "bold", offset: 0, length: 8000 }]);
  });
});

describe("what it refuses of files", () => {
  it.each<[what: string, method: string, fields: () => Record<string, string | Buffer>, description: string]>(
    [
      ["a missing photo", "sendPhoto", () => ({}), "Bad Request: there is no photo in the request"],
      [
        "what is no picture",
        "sendPhoto",
        () => ({ photo: Buffer.from("x") }),
        "Bad Request: IMAGE_PROCESS_FAILED",
      ],
      [
        "a photo too wide for its height",
        "sendPhoto",
        () => ({ photo: wide }),
        "Bad Request: PHOTO_INVALID_DIMENSIONS",
      ],
      [
        "a photo that is too large",
        "sendPhoto",
        () => ({ photo: Buffer.alloc(3001) }),
        "Bad Request: file of size 3001 bytes is too big for a photo; the maximum size is 3000 bytes",
      ],
      [
        "a file that is too large",
        "sendDocument",
        () => ({ document: Buffer.alloc(5001) }),
        "Request Entity Too Large",
      ],
      [
        "1025 characters of caption",
        "sendPhoto",
        () => ({ photo: small, caption: "x".repeat(1025) }),
        "Bad Request: message caption is too long",
      ],
      [
        "a large thumbnail",
        "sendVideo",
        () => ({ video: Buffer.from("x"), thumbnail: wide }),
        "Bad Request: the thumbnail is too wide or high",
      ],
      [
        "an unknown file_id",
        "sendPhoto",
        () => ({ photo: "AgAC" }),
        "Bad Request: wrong file identifier/HTTP URL specified",
      ],
      [
        "a file that nothing names",
        "sendMessage",
        () => ({ text: "x", file0: small }),
        'Bad Request: nothing refers to the file "file0"',
      ],
      [
        "a lonely photo as an album",
        "sendMediaGroup",
        () => ({ media: '[{"type":"photo","media":"attach://a"}]', a: small }),
        "Bad Request: there are too few messages to send as an album",
      ],
      [
        "an album of eleven",
        "sendMediaGroup",
        () => ({
          media: JSON.stringify(Array.from({ length: 11 }, () => ({ type: "photo", media: "attach://a" }))),
          a: small,
        }),
        "Bad Request: too many messages to send as an album",
      ],
      [
        "a document among photos",
        "sendMediaGroup",
        () => ({
          media: '[{"type":"document","media":"attach://a"},{"type":"photo","media":"attach://a"}]',
          a: small,
        }),
        "Bad Request: document can't be mixed with other media types",
      ],
    ],
  )("%s", async (_what, method, fields, description) => {
    await using fake = await met({ limits: { photoBytes: 3000, uploadBytes: 5000 } });
    const answer = await fake.bot(method, form({ chat_id: String(fake.ann.user.id), ...fields() }));
    expect(answer).toMatchObject({ ok: false, description });
  });

  it("a download of more than 20 MB, and one that expired", async () => {
    await using fake = await met({ limits: { downloadBytes: 10 } });
    const large = fake.ann.sendsDocument(Buffer.alloc(11));
    const file_id = fake.ann.sendsDocument(Buffer.alloc(10)).media?.fileId ?? "";
    expect(await fake.bot("getFile", { file_id: large.media?.fileId })).toMatchObject({
      description: "Bad Request: file is too big",
    });
    const { result } = await fake.bot("getFile", { file_id });
    const link = `${fake.telegram.url}/file/bot${fake.telegram.token}/${result.file_path}`;
    expect((await fetch(link)).status).toBe(200);
    fake.telegram.passTime(3_600_001);
    expect((await fetch(link)).status).toBe(404);
    fake.telegram.expire(file_id);
    expect(await fake.bot("getFile", { file_id })).toMatchObject({
      description: "Bad Request: wrong file_id or the file is temporarily unavailable",
    });
  });

  it("nothing of that size on a local server, which gives paths on the disk", async () => {
    await using fake = await met({ local: true, limits: { downloadBytes: 1 } });
    const { media } = fake.ann.sendsDocument(small);
    const { result } = await fake.bot("getFile", { file_id: media?.fileId });
    expect(readFileSync(result.file_path)).toEqual(small);
  });
});

describe("what it refuses of edits, deletions and answers", () => {
  it("edits that change nothing, of nothing, and of others' messages", async () => {
    await using fake = await met();
    const { result } = await fake.bot("sendMessage", {
      ...fake.toAnn,
      text: "one",
      reply_markup: button("a"),
    });
    const edit = (more: object) => fake.bot("editMessageText", { ...fake.toAnn, text: "one", ...more });
    const same = await edit({ message_id: result.message_id, reply_markup: button("a") });
    expect(same.description).toMatch(/^Bad Request: message is not modified: specified new message content/);
    expect(await edit({ message_id: 99 })).toMatchObject({
      description: "Bad Request: message to edit not found",
    });
    expect(await edit({ message_id: 1 })).toMatchObject({
      description: "Bad Request: message can't be edited",
    });
    expect(await edit({})).toMatchObject({ description: "Bad Request: message identifier is not specified" });
    expect(await edit({ message_id: result.message_id })).toMatchObject({ ok: true });
    expect(fake.ann.chat().at(-1)).toMatchObject({
      buttons: [],
      history: [{ text: "one", buttons: [["Go"]] }],
    });
  });

  it("deletions of what is gone or older than 48 hours", async () => {
    await using fake = await met();
    const remove = () => fake.bot("deleteMessage", { ...fake.toAnn, message_id: 1 });
    fake.telegram.passTime(48 * 3_600_000 + 1000);
    expect(await remove()).toMatchObject({ description: "Bad Request: message can't be deleted" });
    fake.telegram.passTime(-3_600_000);
    expect(await remove()).toMatchObject({ ok: true });
    expect(fake.ann.chat()).toEqual([]);
    expect(await remove()).toMatchObject({ description: "Bad Request: message to delete not found" });
  });

  it("answers that are too long or too late", async () => {
    await using fake = await met();
    await fake.bot("sendMessage", { ...fake.toAnn, text: "x", reply_markup: button("a") });
    await fake.ann.presses("Go");
    const [update] = await fake.updates({ offset: -1 });
    const answer = (text: string) =>
      fake.bot("answerCallbackQuery", { callback_query_id: update?.callback_query?.id, text });
    expect(await answer("x".repeat(201))).toMatchObject({ description: "Bad Request: MESSAGE_TOO_LONG" });
    fake.telegram.passTime(15_001);
    expect(await answer("late")).toMatchObject({
      description: "Bad Request: query is too old and response timeout expired or query ID is invalid",
    });
    expect(fake.ann.toasts()).toEqual([]);
  });

  it("51 inline results", async () => {
    await using fake = await met();
    const results = Array.from({ length: 51 }, (_, id) => ({
      type: "article",
      id: String(id),
      title: "x",
      input_message_content: { message_text: "x" },
    }));
    expect(await fake.bot("answerInlineQuery", { inline_query_id: "1", results })).toMatchObject({
      description: "Bad Request: RESULTS_TOO_MUCH",
    });
  });
});

const reactions = (...emoji: readonly string[]) => emoji.map((one) => ({ type: "emoji", emoji: one }));

describe("a reaction", () => {
  it("stands at its message, one at a time, until it is taken away", async () => {
    await using fake = await met();
    const [message] = fake.ann.chat();
    const there = { ...fake.toAnn, message_id: message?.id };
    const seen = () => fake.ann.chat()[0]?.reaction;
    expect(await fake.bot("setMessageReaction", { ...there, reaction: reactions("👍") })).toMatchObject({
      ok: true,
    });
    expect(seen()).toBe("👍");
    await fake.bot("setMessageReaction", { ...there, reaction: reactions("🎉") });
    expect(seen()).toBe("🎉");
    await fake.bot("setMessageReaction", there);
    expect(seen()).toBeUndefined();
  });

  it.each([
    ["with what is none", reactions("🚀"), "REACTION_INVALID"],
    ["with two", reactions("👍", "🎉"), "REACTIONS_TOO_MANY"],
    ["that is paid", [{ type: "paid" }], "REACTION_INVALID"],
  ])("%s is refused", async (_what, reaction, words) => {
    await using fake = await met();
    const there = { ...fake.toAnn, message_id: fake.ann.chat()[0]?.id };
    const description = `Bad Request: ${words}`;
    expect(await fake.bot("setMessageReaction", { ...there, reaction })).toMatchObject({ description });
  });

  it("to what is gone is refused, and one that the group does not allow", async () => {
    await using fake = await met();
    const gone = { ...fake.toAnn, message_id: 99, reaction: reactions("👍") };
    const refusal = { description: "Bad Request: message to react not found" };
    expect(await fake.bot("setMessageReaction", gone)).toMatchObject(refusal);
    const group = fake.telegram.group({ title: "Friends", reactions: ["❤"] });
    const { id } = fake.ann.in(group).says("/start");
    const there = { chat_id: group.chat.id, message_id: id };
    const answers = await Promise.all(
      ["👍", "❤"].map((one) => fake.bot("setMessageReaction", { ...there, reaction: reactions(one) })),
    );
    expect(answers).toMatchObject([{ description: "Bad Request: REACTION_INVALID" }, { ok: true }]);
  });
});
