import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import type { WorldOptions } from "../../support/discord/world.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";

const x = (count: number) => "x".repeat(count);
const button = (id: string, more: object = {}) => ({
  type: 2,
  style: 1,
  label: "Go",
  custom_id: id,
  ...more,
});
const row = (...components: object[]) => ({ type: 1, components });
const menu = (options: object[], more: object = {}) => ({ type: 3, custom_id: "m", options, ...more });
const option = (value: string) => ({ label: value, value });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(button(`b${index}`)));

const RICH = { title: "x", description: "y", fields: [{ name: "a", value: "b" }], footer: { text: "z" } };

/** A fake with somebody in a channel. */
async function met(options?: WorldOptions) {
  const discord = await FakeDiscord.start(options);
  const ann = discord.person({ name: "Ann" });
  const guild = discord.guild({ name: "Films" });
  const channel = guild.channel();
  ann.joins(channel);
  const messages = `/channels/${channel.id}/messages`;
  const commands = `/applications/${discord.applicationId}/commands`;
  return { discord, ann, guild, channel, messages, commands, [Symbol.asyncDispose]: () => discord.stop() };
}

/** The fields that an error names, with dots between. */
function wrongFields(body: unknown): string[] {
  const find = (tree: object, path: string): string[] =>
    Object.entries(tree).flatMap(([key, inner]: [string, object]) =>
      key === "_errors" ? [path] : find(inner, path === "" ? key : `${path}.${key}`),
    );
  return find((body as { errors?: object }).errors ?? {}, "");
}

describe("what it refuses of a message", () => {
  it.each<[what: string, body: object, field: string]>([
    ["2001 characters", { content: x(2001) }, "content"],
    ["eleven embeds", { embeds: Array.from({ length: 11 }, () => ({ title: "x" })) }, "embeds"],
    ["a long title", { embeds: [{ title: x(257) }] }, "embeds.0.title"],
    ["6001 characters of embeds", { embeds: [{ description: x(4000) }, { description: x(2001) }] }, "embeds"],
    [
      "a field without a value",
      { embeds: [{ fields: [{ name: "x", value: "" }] }] },
      "embeds.0.fields.0.value",
    ],
    ["a picture that is not there", { embeds: [{ image: { url: "attachment://x.png" } }] }, "embeds.image"],
    ["six rows", { content: "x", components: rows(6) }, "components"],
    [
      "six buttons in a row",
      { content: "x", components: [row(...["1", "2", "3", "4", "5", "6"].map((id) => button(id)))] },
      "components.0.components",
    ],
    ["an empty row", { content: "x", components: [row()] }, "components.0.components"],
    [
      "a custom id of 101",
      { content: "x", components: [row(button(x(101)))] },
      "components.0.components.0.custom_id",
    ],
    [
      "the same custom id twice",
      { content: "x", components: [row(button("a"), button("a"))] },
      "components.0.components.1.custom_id",
    ],
    [
      "a label of 81",
      { content: "x", components: [row(button("a", { label: x(81) }))] },
      "components.0.components.0.label",
    ],
    [
      "a link with a custom id",
      { content: "x", components: [row(button("a", { style: 5, url: "https://a.example" }))] },
      "components.0.components.0.custom_id",
    ],
    [
      "a menu beside a button",
      { content: "x", components: [row(menu([option("a")]), button("a"))] },
      "components.0.components",
    ],
    [
      "26 options",
      { content: "x", components: [row(menu(Array.from({ length: 26 }, (_, n) => option(`${n}`))))] },
      "components.0.components.0.options",
    ],
    [
      "an unknown component",
      { content: "x", components: [row({ type: 99 })] },
      "components.0.components.0.type",
    ],
    ["a file that did not come", { content: "x", attachments: [{ id: "0" }] }, "attachments.0.id"],
    ["a reply to nothing", { content: "x", message_reference: { message_id: "1" } }, "message_reference"],
    ["a nonce of 26", { content: "x", nonce: x(26) }, "nonce"],
  ])("%s", async (_what, body, field) => {
    await using fake = await met();
    const answer = await call(fake.discord, `POST ${fake.messages}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 50_035, message: "Invalid Form Body" } });
    expect(wrongFields(answer.body)).toContain(field);
    expect(fake.ann.chat()).toEqual([]);
  });

  it("nothing at all", async () => {
    await using fake = await met();
    const answer = await call(fake.discord, `POST ${fake.messages}`, { content: " " });
    expect(answer).toMatchObject({ status: 400, body: { code: 50_006 } });
  });

  it("a file that is too large, and too many of them", async () => {
    await using fake = await met({ limits: { fileBytes: 100, requestBytes: 2000 } });
    const large = await call(fake.discord, `POST ${fake.messages}`, {}, [Buffer.alloc(101)]);
    const many = await call(fake.discord, `POST ${fake.messages}`, {}, [Buffer.alloc(2001)]);
    for (const answer of [large, many]) {
      expect(answer).toMatchObject({
        status: 413,
        body: { code: 40_005, message: "Request entity too large" },
      });
    }
    const fitting = await call(fake.discord, `POST ${fake.messages}`, {}, [Buffer.alloc(100)]);
    expect(fitting).toMatchObject({ status: 200, body: { attachments: [{ size: 100 }] } });
  });
});

const command = (more: object) => ({ name: "make", description: "Make", ...more });
const text = (name: string, more: object = {}) => ({ type: 3, name, description: "x", ...more });
const choice = (name: string) => ({ name, value: name });
const some = (count: number, make: (name: string) => object) =>
  Array.from({ length: count }, (_, index) => make(`n${index}`));

describe("what it refuses of commands", () => {
  it.each<[what: string, commands: object[], field: string]>([
    ["a capital letter", [command({ name: "Make" })], "0.name"],
    ["a space", [command({ name: "make it" })], "0.name"],
    [
      "a translated name with a capital",
      [command({ name_localizations: { de: "Mache" } })],
      "0.name_localizations.de",
    ],
    ["an unknown language", [command({ name_localizations: { xx: "x" } })], "0.name_localizations"],
    ["no description", [command({ description: "" })], "0.description"],
    ["101 characters of it", [command({ description: x(101) })], "0.description"],
    ["26 options", [command({ options: some(26, text) })], "0.options"],
    ["26 choices", [command({ options: [text("a", { choices: some(26, choice) })] })], "0.options.0.choices"],
    [
      "choices and autocomplete",
      [command({ options: [text("a", { autocomplete: true, choices: some(1, choice) })] })],
      "0.options.0.autocomplete",
    ],
    [
      "a required option after another",
      [command({ options: [text("a"), text("b", { required: true })] })],
      "0.options.1",
    ],
    ["the same option twice", [command({ options: [text("a"), text("a")] })], "0.options.1.name"],
    [
      "a subcommand beside an option",
      [command({ options: [text("a"), { type: 1, name: "b", description: "x" }] })],
      "0.options",
    ],
    [
      "8001 characters",
      [
        command({
          description: x(100),
          options: some(25, (name) =>
            text(name, { choices: some(5, (value) => choice(`${value}${x(30)}`)) }),
          ),
        }),
      ],
      "0",
    ],
    ["101 commands", some(101, (name) => command({ name })), ""],
    ["16 menu commands", some(16, (name) => ({ name, type: 3 })), ""],
    ["the same command twice", [command({}), command({})], "1.name"],
    ["a described menu command", [command({ type: 3 })], "0.description"],
  ])("%s", async (_what, commands, field) => {
    await using fake = await met();
    const answer = await call(fake.discord, `PUT ${fake.commands}`, commands);
    expect(answer).toMatchObject({ status: 400, body: { code: 50_035 } });
    expect(wrongFields(answer.body)).toContain(field);
    expect(fake.ann.commands()).toEqual([]);
  });

  it("takes a name in other letters, and keeps the id of a command that changes", async () => {
    await using fake = await met();
    const options = [text("tekst", { choices: some(25, choice) })];
    const first = await call(fake.discord, `PUT ${fake.commands}`, [command({ name: "zrób", options })]);
    const second = await call(fake.discord, `PUT ${fake.commands}`, [command({ name: "zrób" })]);
    const [before] = first.body as { id: string; version: string }[];
    const [after] = second.body as { id: string; version: string }[];
    expect(after?.id).toBe(before?.id);
    expect(after?.version).not.toBe(before?.version);
  });
});

describe("what it refuses of a bot", () => {
  it.each<
    [what: string, status: number, code: number, breaks: (fake: Awaited<ReturnType<typeof met>>) => void]
  >([
    ["that writes where it may not", 403, 50_013, ({ channel }) => channel.denies("SendMessages")],
    ["that cannot see the channel", 403, 50_001, ({ channel }) => channel.denies("ViewChannel")],
    ["that was removed", 403, 50_001, ({ guild }) => guild.removesBot()],
    ["in a channel that is gone", 404, 10_003, ({ channel }) => channel.disappears()],
  ])("%s", async (_what, status, code, breaks) => {
    await using fake = await met();
    breaks(fake);
    const answer = await call(fake.discord, `POST ${fake.messages}`, { content: "x" });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it("that may send no files, or write to somebody who wants no messages", async () => {
    await using fake = await met();
    fake.channel.denies("AttachFiles");
    const file = await call(fake.discord, `POST ${fake.messages}`, {}, [Buffer.from("x")]);
    expect(file).toMatchObject({ status: 403, body: { code: 50_013 } });
    fake.ann.closesConversation();
    const { body } = await call(fake.discord, "POST /users/@me/channels", { recipient_id: fake.ann.user.id });
    const message = await call(fake.discord, `POST /channels/${(body as { id: string }).id}/messages`, {
      content: "x",
    });
    expect(message).toMatchObject({ status: 403, body: { code: 50_007 } });
  });

  it("without its token, and for a message or route that is not there", async () => {
    await using fake = await met();
    const anonymous = await fetch(`${fake.discord.url}/v10${fake.messages}`, { method: "POST", body: "{}" });
    expect(anonymous.status).toBe(401);
    const missing = await call(fake.discord, `GET ${fake.messages}/1`);
    expect(missing).toMatchObject({ status: 404, body: { code: 10_008 } });
    expect(await call(fake.discord, "GET /nothing")).toMatchObject({ status: 404, body: { code: 0 } });
  });

  it("that writes too fast: to one channel, or altogether", async () => {
    await using fake = await met({
      limits: { channelRequests: 2, globalRequests: 4 },
      timeScale: STANDS_STILL,
    });
    const send = () => call(fake.discord, `POST ${fake.messages}`, { content: "x" });
    const first = await send();
    expect(first.headers.get("x-ratelimit-remaining")).toBe("1");
    await send();
    const third = await send();
    expect(third).toMatchObject({ status: 429, body: { global: false } });
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(4 * STANDS_STILL);
    await call(fake.discord, "GET /users/@me");
    const fifth = await call(fake.discord, "GET /users/@me");
    expect(fifth).toMatchObject({ status: 429, body: { global: true } });
    expect(fifth.headers.get("x-ratelimit-global")).toBe("true");
    fake.discord.passTime(5000);
    expect(await send()).toMatchObject({ status: 200 });
  });
});

describe("messages and files", () => {
  it("posts what has the same nonce once, when asked to", async () => {
    await using fake = await met();
    const send = (nonce: string, enforce_nonce: boolean) =>
      call(fake.discord, `POST ${fake.messages}`, { content: "x", nonce, enforce_nonce });
    const [first, second] = [await send("1", true), await send("1", true)];
    expect((second.body as { id: string }).id).toBe((first.body as { id: string }).id);
    await send("1", false);
    expect(fake.ann.chat()).toHaveLength(2);
  });

  it("keeps the files that an edit lists, or all when it lists none", async () => {
    await using fake = await met();
    const { body } = await call(fake.discord, `POST ${fake.messages}`, {}, [
      Buffer.from("a"),
      Buffer.from("b"),
    ]);
    const { id, attachments } = body as { id: string; attachments: { id: string }[] };
    const message = `${fake.messages}/${id}`;
    const names = () => fake.ann.chat()[0]?.files.map(({ bytes }) => String(bytes));
    await call(fake.discord, `PATCH ${message}`, {}, [Buffer.from("c")]);
    expect(names()).toEqual(["a", "b", "c"]);
    await call(fake.discord, `PATCH ${message}`, { attachments: [{ id: attachments[1]?.id }, { id: "0" }] }, [
      Buffer.from("d"),
    ]);
    expect(names()).toEqual(["b", "d"]);
    expect(fake.ann.chat()[0]?.history).toHaveLength(2);
  });

  it("lets links run out after a day, and gives fresh ones", async () => {
    await using fake = await met();
    const said = await fake.ann.says("Look", {
      in: fake.channel,
      files: [attachment(Buffer.from("photo"), "my photo.jpg")],
    });
    const old = said.files[0]?.url ?? "";
    expect(await (await fetch(old)).text()).toBe("photo");
    expect((await fetch(old.replace("my_photo", "other"))).status).toBe(404);
    fake.discord.passTime(24 * 3_600_000);
    expect((await fetch(old)).status).toBe(404);
    const { body } = await call(fake.discord, "POST /attachments/refresh-urls", { attachment_urls: [old] });
    const {
      refreshed_urls: [fresh],
    } = body as { refreshed_urls: [{ refreshed: string }] };
    expect((await fetch(fresh.refreshed)).status).toBe(200);
    const read = await call(fake.discord, `GET ${fake.messages}/${said.id}`);
    const [again] = (read.body as { attachments: { url: string }[] }).attachments;
    expect((await fetch(again?.url ?? "")).status).toBe(200);
  });
});

it("answers every route as the official description says, where that is at hand", async () => {
  await using fake = await met();
  const { discord, ann, guild, channel, messages, commands } = fake;
  const said = await ann.says("x", { in: channel });
  const own = `/applications/${discord.applicationId}/guilds/${guild.id}/commands`;
  const command = { name: "make", description: "x", default_member_permissions: "32", options: [text("a")] };
  const calls: [route: string, body?: unknown][] = [
    ["GET /gateway/bot"],
    ["GET /users/@me"],
    ["GET /applications/@me"],
    ["GET /oauth2/applications/@me"],
    [`PUT ${commands}`, [command]],
    [`GET ${commands}`],
    [`PUT ${own}`, [command, { name: "Animate", type: 3 }]],
    [`GET ${own}`],
    [`GET /channels/${channel.id}`],
    [`GET ${messages}/${said.id}`],
    [`GET /guilds/${guild.id}`],
    [`GET /guilds/${guild.id}/channels`],
    [`GET /guilds/${guild.id}/members/${ann.user.id}`],
    ["POST /users/@me/channels", { recipient_id: ann.user.id }],
    [`POST ${messages}`, { components: [row(menu([option("a")])), row(button("b"))], embeds: [RICH] }],
    [
      `POST ${messages}`,
      { flags: 1 << 15, components: [{ type: 17, components: [{ type: 10, content: "x" }] }] },
    ],
  ];
  for (const [route, body] of calls) {
    // A body that the fake itself got wrong comes back as 500, and says where.
    expect(await call(discord, route, body), route).toMatchObject({ status: 200 });
  }
});
