import { MessageFlags } from "discord.js";
import { describe, expect, it } from "vitest";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";
import { loadDescription } from "../../support/discord/description.ts";

const flags = MessageFlags.IsComponentsV2;
const text = (content: string) => ({ type: 10, content });
const container = (...components: object[]) => ({ type: 17, components });
const gallery = (url: string, more: object = {}) => ({ type: 12, items: [{ media: { url }, ...more }] });

/** A channel that Ann sees. */
async function met() {
  const discord = await FakeDiscord.start({ timeScale: STANDS_STILL });
  const ann = discord.person({ name: "Ann" });
  const channel = discord.guild({ name: "Films" }).channel();
  ann.joins(channel);
  const messages = `/channels/${channel.id}/messages`;
  return { discord, ann, messages, [Symbol.asyncDispose]: () => discord.stop() };
}

/** What the official description alone refuses: without it, which is said, there is nothing to try. */
const OF_DESCRIPTION = new Set(["with an empty text", "with an empty container"]);
const isDescribed = (await loadDescription()) !== undefined;

describe("a message of components v2", () => {
  const refused: [what: string, body: object][] = [
    ["with content", { flags, content: "x", components: [text("x")] }],
    ["with an embed", { flags, embeds: [{ title: "x" }], components: [text("x")] }],
    ["with a sticker", { flags, sticker_ids: ["1"], components: [text("x")] }],
    ["with a poll", { flags, poll: { question: { text: "x" }, answers: [] }, components: [text("x")] }],
    ["of 41 components", { flags, components: Array.from({ length: 41 }, () => text("x")) }],
    [
      "of 4001 characters",
      { flags, components: [text("x".repeat(2_001)), container(text("x".repeat(2_000)))] },
    ],
    ["with an empty text", { flags, components: [text("")] }],
    ["with an empty container", { flags, components: [container()] }],
    ["that shows a file which did not come", { flags, components: [gallery("attachment://made.png")] }],
    [
      "with an empty alt text",
      { flags, components: [gallery("https://a.example/b.png", { description: "" })] },
    ],
    ["without the flag", { content: "x", components: [container(text("x"))] }],
  ];
  it.each(refused.filter(([what]) => isDescribed || !OF_DESCRIPTION.has(what)))(
    "%s is refused",
    async (_what, body) => {
      await using fake = await met();
      expect(await call(fake.discord, `POST ${fake.messages}`, body)).toMatchObject({
        status: 400,
        body: { code: 50_035 },
      });
      expect(fake.ann.chat()).toEqual([]);
    },
  );

  it("of nothing is refused", async () => {
    await using fake = await met();
    expect(await call(fake.discord, `POST ${fake.messages}`, { flags, components: [] })).toMatchObject({
      status: 400,
      body: { code: 50_006 },
    });
  });

  it("says the words of all its texts", async () => {
    await using fake = await met();
    await call(fake.discord, `POST ${fake.messages}`, {
      flags,
      components: [container(text("a"), text("b"))],
    });
    expect(fake.ann.chat()).toMatchObject([{ text: "a\nb", files: [], thumbnails: [] }]);
  });

  it("never takes content again", async () => {
    await using fake = await met();
    const { body } = await call(fake.discord, `POST ${fake.messages}`, { flags, components: [text("a")] });
    const { id } = body as { id: string };
    const edit = `PATCH ${fake.messages}/${id}`;
    expect(await call(fake.discord, edit, { content: "b" })).toMatchObject({ status: 400 });
    expect(await call(fake.discord, edit, { content: "b", flags: 0 })).toMatchObject({ status: 400 });
    expect(fake.ann.chat()).toMatchObject([{ text: "a" }]);
  });

  it("becomes of an older one whose content is taken away, and of no other", async () => {
    await using fake = await met();
    const { body } = await call(fake.discord, `POST ${fake.messages}`, { content: "a" });
    const { id } = body as { id: string };
    const edit = `PATCH ${fake.messages}/${id}`;
    const after = { flags, components: [text("b")] };
    expect(await call(fake.discord, edit, after)).toMatchObject({ status: 400 });
    expect(await call(fake.discord, edit, { ...after, content: null, embeds: [] })).toMatchObject({
      status: 200,
    });
    expect(fake.ann.chat()).toMatchObject([{ text: "b" }]);
  });
});
