import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";
import { buttons, interactive, list, met, text } from "../../support/whatsapp/bare-client.ts";
import { loadDescription } from "../../support/whatsapp/description.ts";
import { USUAL } from "../../support/whatsapp/liberties.ts";

const HOUR_MS = 3_600_000;
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");

/** A small film with a sound. */
function film(codec: "libx264" | "mpeg4"): Buffer {
  const path = join(temporaryFolder(), `${codec}.mp4`);
  const picture = "-f lavfi -i testsrc2=size=64x64:rate=12:duration=1 -f lavfi -i sine=duration=1".split(" ");
  const how = ["-c:v", codec, "-pix_fmt", "yuv420p", "-c:a", "aac"];
  execFileSync(testFfmpeg(), ["-loglevel", "error", "-y", ...picture, ...how, path]);
  return readFileSync(path);
}

const row = (nth: number) => ({ id: `r${nth}`, title: `Row ${nth}` });
const rows = (count: number) => Array.from({ length: count }, (_, nth) => row(nth));

/** Refuses at once what it would else tell later, so that a test sees it in the answer. */
const AT_ONCE = { liberties: { ...USUAL, refuses: "at once" } } as const;

describe("what the fake of WhatsApp posts", () => {
  it("words, and answers to them", async () => {
    await using bare = await met();
    const [hello] = bare.ann.chat();
    const { body } = await bare.send({ ...text("Hi"), context: { message_id: hello?.id } });
    expect(body.messages?.[0]?.id).toMatch(/^wamid\./);
    expect(bare.ann.chat().at(-1)).toMatchObject({ from: "bot", text: "Hi", replyTo: hello?.id });
  });

  it("three buttons, and a press tells which", async () => {
    await using bare = await met();
    await bare.send(buttons("Yes", "No", "Later"));
    await bare.ann.presses("No");
    expect(bare.ann.chat().at(-1)).toMatchObject({ from: "person", type: "interactive", text: "No" });
  });

  it("ten rows of a list", async () => {
    await using bare = await met();
    expect(await bare.send(list(rows(10)))).toMatchObject({ status: 200 });
    const seen = await bare.ann.sees("Which?");
    expect(seen.buttons).toHaveLength(10);
    expect(seen.list).toBe("Choose");
  });

  it("a film of H.264 and AAC", async () => {
    await using bare = await met();
    const { body } = await bare.upload(film("libx264"), "video/mp4");
    await bare.send({ type: "video", video: { id: body.id, caption: "There" } });
    expect(await bare.ann.sees("There")).toMatchObject({ type: "video", file: { mimeType: "video/mp4" } });
  });

  it("a reaction, which the empty one takes away, and no message", async () => {
    await using bare = await met();
    const [hello] = bare.ann.chat();
    const react = (emoji: string) =>
      bare.send({ type: "reaction", reaction: { message_id: hello?.id, emoji } });
    await react("⏳");
    expect(bare.ann.chat()[0]).toMatchObject({ reaction: "⏳" });
    await react("");
    expect(bare.ann.chat()[0]?.reaction).toBeUndefined();
    expect(bare.ann.chat()).toHaveLength(1);
  });

  it("that something was read, and that an answer is on its way", async () => {
    await using bare = await met();
    const [hello] = bare.ann.chat();
    const read = {
      messaging_product: "whatsapp",
      status: "read",
      message_id: hello?.id,
      typing_indicator: { type: "text" },
    };
    const body = JSON.stringify(read);
    const path = `${bare.fake.phoneNumberId}/messages`;
    expect(await bare.call(path, { method: "POST", body })).toMatchObject({ body: { success: true } });
    expect(bare.ann.chat()[0]?.isRead).toBe(true);
    expect(bare.ann.seesTyping).toBe(true);
    bare.fake.passTime(25_000);
    expect(bare.ann.seesTyping).toBe(false);
  });

  it("an approved template, whose button opens the window", async () => {
    const template = { name: "ready", language: "en", body: "Your {{1}} is ready.", buttons: ["Show it"] };
    await using bare = await met({ templates: [template] });
    bare.fake.passTime(25 * HOUR_MS);
    await bare.send({
      type: "template",
      template: {
        name: "ready",
        language: { code: "en" },
        components: [
          { type: "body", parameters: [{ type: "text", text: "film" }] },
          {
            type: "button",
            sub_type: "quick_reply",
            index: "0",
            parameters: [{ type: "payload", payload: "show:1" }],
          },
        ],
      },
    });
    const seen = await bare.ann.sees("Your film is ready.");
    expect(seen.choices).toEqual([{ id: "show:1", title: "Show it" }]);
    await bare.ann.presses("Show it");
    expect(await bare.send(text("Here"))).toMatchObject({ status: 200 });
    await bare.ann.sees("Here");
  });
});

/** What the official description alone refuses so: without it, which is said, there is nothing to try. */
const OF_DESCRIPTION = new Set([
  "a message of no kind",
  "an edit: the Cloud API has none",
  "four buttons",
  "21 characters on a button",
  "eleven rows",
  "25 characters in a row",
  "73 characters of description",
  "201 characters of a row's id",
]);
const isDescribed = (await loadDescription()) !== undefined;

describe("what it refuses of messages", () => {
  const refused: [what: string, message: object, code: number][] = [
    ["no text", text(""), 131008],
    ["4097 characters", text("x".repeat(4097)), 100],
    ["a message of no kind", { type: "poll" }, 100],
    ["an edit: the Cloud API has none", { ...text("x"), message_id: "wamid.x" }, 100],
    ["an answer to what is not there", { ...text("x"), context: { message_id: "wamid.x" } }, 100],
    [
      "a reaction to what is not there",
      { type: "reaction", reaction: { message_id: "wamid.x", emoji: "✅" } },
      131009,
    ],
    ["four buttons", buttons("1", "2", "3", "4"), 100],
    ["two buttons of one title", buttons("Yes", "Yes"), 131009],
    ["21 characters on a button", buttons("x".repeat(21)), 100],
    ["a button of two lines", buttons("one\ntwo"), 131009],
    ["eleven rows", list(rows(11)), 100],
    [
      "eleven rows in two sections",
      interactive({
        type: "list",
        body: { text: "x" },
        action: {
          button: "Choose",
          sections: [
            { title: "A", rows: rows(6) },
            { title: "B", rows: rows(11).slice(6) },
          ],
        },
      }),
      131009,
    ],
    ["two rows of one id", list([row(1), row(1)]), 131009],
    ["25 characters in a row", list([{ id: "r", title: "x".repeat(25) }]), 100],
    ["73 characters of description", list([{ ...row(1), description: "x".repeat(73) }]), 100],
    ["201 characters of a row's id", list([{ id: "x".repeat(201), title: "x" }]), 100],
    ["61 characters of header", list(rows(1), { header: { type: "text", text: "x".repeat(61) } }), 100],
    ["61 characters of footer", list(rows(1), { footer: { text: "x".repeat(61) } }), 100],
    ["1025 characters of body", list(rows(1), { body: { text: "x".repeat(1025) } }), 100],
    ["a file that is not there", { type: "image", image: { id: "1" } }, 100],
    [
      "a template that is not there",
      { type: "template", template: { name: "x", language: { code: "en" } } },
      132001,
    ],
  ];
  it.each(refused.filter(([what]) => isDescribed || !OF_DESCRIPTION.has(what)))(
    "%s",
    async (_what, message, code) => {
      await using bare = await met();
      expect((await bare.send(message)).body.error?.code).toBe(code);
      expect(bare.ann.chat()).toHaveLength(1);
    },
  );

  it.each([
    ["a template that waits for approval", "PENDING", 132001],
    ["a template that is paused", "PAUSED", 132015],
    ["a template without its parameters", "APPROVED", 132000],
  ] as const)("%s", async (_what, status, code) => {
    await using bare = await met({ templates: [{ name: "x", language: "en", body: "{{1}}", status }] });
    const message = { type: "template", template: { name: "x", language: { code: "en" } } };
    expect((await bare.send(message)).body.error?.code).toBe(code);
  });

  it("anything by another's token, and anything for another number", async () => {
    await using bare = await met();
    const headers = { authorization: "Bearer EAAGother" };
    const path = `${bare.fake.phoneNumberId}/messages`;
    const body = JSON.stringify(text("x"));
    expect(await bare.call(path, { method: "POST", body, headers })).toMatchObject({
      status: 401,
      body: { error: { code: 190 } },
    });
    expect((await bare.call("1/messages", { method: "POST", body })).body.error?.code).toBe(100);
  });

  it("words to somebody who never wrote, or not for 24 hours, but not for a second less", async () => {
    await using bare = await met(AT_ONCE);
    const bob = bare.fake.person({ name: "Bob" });
    expect((await bare.send(text("x"), bob.waId)).body.error?.code).toBe(131047);
    bare.fake.passTime(24 * HOUR_MS - 60_000);
    expect(await bare.send(text("x"))).toMatchObject({ status: 200 });
    bare.fake.passTime(60_000);
    expect((await bare.send(text("x"))).body.error?.code).toBe(131047);
  });

  it("anything to whoever is not there", async () => {
    await using bare = await met(AT_ONCE);
    bare.ann.leaves();
    expect((await bare.send(text("x"))).body.error?.code).toBe(131026);
    expect((await bare.send(text("x"), "4915112345678")).body.error?.code).toBe(131026);
  });

  it("the 46th of many messages to one person", async () => {
    await using bare = await met({ timeScale: STANDS_STILL });
    const sent = (to?: string) =>
      bare.send({ type: "reaction", reaction: { message_id: hello, emoji: "✅" } }, to);
    const hello = bare.ann.chat()[0]?.id;
    for (let nth = 0; nth < 45; nth += 1) expect((await sent()).status).toBe(200);
    expect((await sent()).body.error?.code).toBe(131056);
    bare.fake.passTime(6_000);
    expect((await sent()).status).toBe(200);
  });

  it("too much in a second", async () => {
    await using bare = await met({ limits: { throughput: 3 }, timeScale: STANDS_STILL });
    await bare.send(text("1"));
    await bare.send(text("2"));
    expect((await bare.send(text("3"))).body.error?.code).toBe(130429);
    bare.fake.passTime(1_000);
    expect(await bare.send(text("3"))).toMatchObject({ status: 200 });
  });
});

describe("its files", () => {
  it("fetches what somebody sent, with the token alone, for five minutes", async () => {
    await using bare = await met();
    const { file } = bare.ann.sendsPhoto(JPEG);
    const { body } = await bare.call(file?.id ?? "");
    const fetched = (authorization: string) => fetch(body.url ?? "", { headers: { authorization } });
    const bytes = await (await fetched(`Bearer ${bare.fake.token}`)).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(JPEG);
    expect((await fetched("")).status).toBe(401);
    expect(
      (
        await fetch((body.url ?? "").replace(/hash=./, "hash=?"), {
          headers: { authorization: `Bearer ${bare.fake.token}` },
        })
      ).status,
    ).toBe(404);
    bare.fake.passTime(5 * 60_000);
    expect((await fetched(`Bearer ${bare.fake.token}`)).status).toBe(404);
    expect((await bare.call(file?.id ?? "")).status).toBe(200);
  });

  it("forgets what was deleted, and what somebody sent a week ago", async () => {
    await using bare = await met();
    const first = bare.ann.sendsPhoto(JPEG).file?.id ?? "";
    await bare.call(first, { method: "DELETE" });
    expect((await bare.call(first)).body.error?.code).toBe(100);
    const second = bare.ann.sendsPhoto(JPEG).file?.id ?? "";
    bare.fake.passTime(7 * 24 * HOUR_MS);
    expect((await bare.call(second)).body.error?.code).toBe(100);
  });

  it.each([
    ["an archive", Buffer.from("x"), "application/zip"],
    ["a picture of more than 5 MB", Buffer.alloc(5 * 1024 * 1024 + 1), "image/jpeg"],
    ["nothing", Buffer.alloc(0), "image/jpeg"],
    ["more than 100 MB", Buffer.alloc(100 * 1024 * 1024 + 1), "application/pdf"],
  ])("takes no upload of %s", async (_what, bytes, type) => {
    await using bare = await met();
    expect((await bare.upload(bytes, type)).body.error?.code).toBe(100);
  });

  it.each([
    ["film of MPEG-4 part 2", "video", () => film("mpeg4"), "video/mp4"],
    ["film that is none", "video", () => Buffer.from("film"), "video/mp4"],
    ["picture that is another's type", "image", () => PNG, "image/jpeg"],
    ["film of more than 16 MB", "video", () => Buffer.alloc(16 * 1024 * 1024 + 1), "video/mp4"],
    ["picture as a sticker", "sticker", () => JPEG, "image/jpeg"],
  ] as const)("shows no %s", async (_what, kind, bytes, type) => {
    await using bare = await met(AT_ONCE);
    const { body } = await bare.upload(bytes(), type);
    const sent = await bare.send({ type: kind, [kind]: { id: body.id } });
    expect(sent.body.error?.code).toBe(131053);
    expect(await bare.send({ type: "document", document: { id: body.id, filename: "x" } })).toMatchObject({
      status: 200,
    });
  });
});
