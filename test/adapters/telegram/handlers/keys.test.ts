import { describe, expect, it } from "vitest";
import { drawn, KEY_SHAPES, PLAIN_SHAPES } from "../../../support/keys.ts";
import { contentsOf, holding } from "../../../support/leaks.ts";
import { testPicture } from "../../../support/sandbox.ts";
import type { Person } from "../../../support/telegram/person.ts";
import { harness } from "../words-harness.ts";

type Harness = Awaited<ReturnType<typeof harness>>;

const photo = Buffer.from(await testPicture(), "base64");
/** What a link starts the chat with that has nothing to do with this bot. */
const payload = (seed: string) => KEY_SHAPES["hexadecimal, 64"]?.(drawn(seed)) ?? "";

const settings = { REELAY_LOG_LEVEL: "debug" };

/** Everything in the data folders of bot and service, what the bot said to Telegram, and what is left in people's chats. */
async function everywhere(
  at: Harness,
  people: readonly Person[],
  folders = [at.data, at.sandbox.dir],
): Promise<readonly string[]> {
  const chats = people.flatMap((person) => person.chat().map(({ text }) => text));
  return [...(await contentsOf(...folders)), ...chats, JSON.stringify(at.telegram.calls())];
}

/** Sends a key in many ways; each waits until it was dealt with. */
async function sendsEverywhere(ann: Person, key: string): Promise<void> {
  const gone = async () => {
    await expect.poll(() => ann.chat().some(({ text }) => text.includes(key))).toBe(false);
  };
  ann.says(key);
  await gone();
  await ann.sendsPhoto(photo, { caption: `waves ${key}` });
  await gone();
  ann.says(`/image a cat with ${key}`);
  await gone();
  ann.says(`my key is ${key}`);
  await gone();
  ann.says(`/conect ${key}`);
  await gone();
  ann.edits(ann.says("slow waves"), `slow waves ${key}`);
  await gone();
  ann.sendsDocument(photo, { fileName: `${key}.jpg`, mimeType: "image/jpeg", caption: key });
  await gone();
}

describe("a key among words", () => {
  it("goes on with the photo and caption that waited for it, and is left nowhere", async () => {
    await using at = await harness({ paid: false, settings });
    const ann = await at.regular({ name: "Ann" });
    const key = at.sandbox.keys.pro;
    await ann.sendsPhoto(photo, { caption: "slow waves at dusk" });
    const draft = await ann.sees(/Connect the API key/);
    ann.says(key);
    await ann.sees("Your key works", { fresh: true });
    // It goes on where it stands.
    const ready = await ann.sees(({ buttons }) => buttons.flat().some((label) => label.startsWith("✨")));
    expect(ready).toMatchObject({
      id: draft.id,
      text: expect.stringContaining("slow waves at dusk") as string,
    });
    await ann.presses(/^✨/, { on: ready });
    await ann.sees(({ media }) => media !== undefined, { fresh: true });
    expect(holding(key, await everywhere(at, [ann], [at.data]))).toEqual([]);
  });

  it.each(["base62, 40", "hexadecimal, 32", "with dots", "with a colon", "base64"])(
    "that was never seen before (%s) is taken away wherever it stands, and is in no file",
    async (shape) => {
      await using at = await harness({ paid: false, settings });
      const ann = await at.regular({ name: "Ann" });
      const key = KEY_SHAPES[shape]?.(drawn(`telegram ${shape}`)) ?? "";
      await sendsEverywhere(ann, key);
      await ann.sees(/does not know this key/);
      await at.restart();
      expect(holding(key, await everywhere(at, [ann]))).toEqual([]);
    },
  );

  it("that was refused once is known by its digest, whatever it looks like", async () => {
    await using at = await harness({ paid: true, settings });
    const ann = await at.regular({ name: "Ann" });
    const key = PLAIN_SHAPES["of words"]?.(drawn("telegram words")) ?? "";
    ann.says(`/connect ${key}`);
    await ann.sees(/does not know this key/);
    await at.restart();
    await sendsEverywhere(ann, key);
    expect(holding(key, await everywhere(at, [ann]))).toEqual([]);
  });

  it("in a group is deleted, also where nobody spoke to the bot, and connected to nobody", async () => {
    await using at = await harness({ paid: false, settings });
    const [ann, ben] = [await at.regular({ name: "Ann" }), await at.regular({ name: "Ben" })];
    const key = at.sandbox.keys.pro;
    ann.says(`/connect ${key}`);
    await ann.sees("Your key works");
    const group = at.telegram.group({ title: "Sea", admin: true });
    const here = ben.in(group);
    here.says(`/conect@reelay_bot ${key}`);
    await here.sees("I deleted your message with the key");
    here.says(`@reelay_bot my key is ${key}`);
    await here.sees("I deleted your message with the key", { fresh: true });
    here.says(`who left ${key} here?`);
    await here.sees("I deleted your message with the key", { fresh: true });
    expect(holding(key, await everywhere(at, [ann, here], [at.data]))).toEqual([]);
    ben.says("/balance");
    await ben.sees(/No key is connected/);
  });

  it("behind a link's /start is taken for one only while nobody has one, and greeted in any case", async () => {
    await using at = await harness({ paid: false, settings });
    const ann = await at.regular({ name: "Ann" });
    const first = ann.says(`/start ${payload("a link")}`);
    await ann.losesSightOf(first);
    await ann.sees(/does not know this key/);
    await ann.sees("Send me a photo and a line of text");
    ann.says(`/connect ${at.sandbox.keys.pro}`);
    await ann.sees("Your key works", { fresh: true });
    const kept = ann.says(`/start ${payload("another link")}`);
    await ann.sees("Send me a photo and a line of text", { fresh: true });
    expect(ann.chat().map(({ id }) => id)).toContain(kept.id);
    // One that is known is a key, wherever it stands.
    const again = ann.says(`/start ${at.sandbox.keys.pro}`);
    await ann.losesSightOf(again);
    await ann.sees("was not used, kept or sent", { fresh: true });
  });

  it("that nobody entered is none of ours in a group, unless the bot is spoken to", async () => {
    await using at = await harness({ paid: false, settings });
    const group = at.telegram.group({ title: "Sea", admin: true });
    const here = (await at.regular({ name: "Ben" })).in(group);
    const key = KEY_SHAPES["base62, 40"]?.(drawn("a group")) ?? "";
    const bare = here.says(key);
    here.says(`@reelay_bot ${key}`);
    await here.sees("I deleted your message with the key");
    expect(here.chat().filter(({ text }) => text.includes(key))).toMatchObject([{ id: bare.id }]);
  });

  it("that somebody searches for leads to the private chat", async () => {
    await using at = await harness({ paid: false, settings });
    const ann = await at.regular({ name: "Ann" });
    const key = KEY_SHAPES["base62, 40"]?.(drawn("inline")) ?? "";
    const answer = await ann.asksInline(key);
    expect(answer.results).toEqual([]);
    expect(holding(key, await everywhere(at, [ann]))).toEqual([]);
  });
});
