import { InteractionResponseType } from "discord.js";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { attachment } from "../../../support/discord/attachment.ts";
import { labelOf } from "../../../support/discord/seen.ts";
import { tinyClip } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import { DraftStore } from "../../../../adapters/kit/drafts/store.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import type { SeenMessage } from "../../../support/discord/seen.ts";
import { allowSpending, cat, makingHarness, isResult } from "../making-harness.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const PAYING = { REELAY_OPERATOR_KEY_FOR: "all" } as const;

/** The bot, and how it is mentioned. */
async function here(options: Parameters<typeof makingHarness>[0] = {}) {
  const at = await makingHarness({ source: "operator", settings: PAYING, ...options });
  const mention = `<@${at.on.discord.applicationId}>`;
  return { ...at, mention, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

const buttonsOf = (id: string, seen: readonly SeenMessage[]) => seen.find((one) => one.id === id)?.buttons;

const notMine = "This belongs to somebody else";

describe("a photo in a direct message", () => {
  it("becomes a draft with its words, in a reply that goes on in its place", async () => {
    await using at = await here();
    const { on, ann } = at;
    const sent = await ann.says("slow zoom", { files: [cat] });
    const offer = await ann.sees("“slow zoom”");
    expect(offer).toMatchObject({ replyTo: sent.id, ephemeral: false });
    expect(offer.text).toContain("Photo to video");
    await ann.presses(/^Make it/, { on: offer });
    await ann.sees(isResult);
    expect(ann.chat().find(({ id }) => id === offer.id)).toMatchObject({ buttons: [] });
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("without words is asked what to make of, and words that follow say so", async () => {
    await using at = await here();
    const { ann } = at;
    const sent = await ann.says("", { files: [cat] });
    const asked = await ann.sees("What shall I make");
    expect(asked).toMatchObject({ replyTo: sent.id });
    await ann.selects("Choose what to make", "Photo to video", { on: asked });
    expect(ann.modal()).toMatchObject({ title: "Photo to video" });
    ann.closesModal();
    await ann.says("slow zoom");
    expect((await ann.sees("“slow zoom”")).text).toContain("Photo: ✓");
    await ann.says("leaves moving");
    const changed = await ann.sees("“leaves moving”");
    expect(changed.text).toContain("Photo: ✓");
    await ann.presses(/^Make it/, { on: changed });
    await ann.sees(isResult);
  });

  it("whose words are said anew leaves no form behind that does nothing, over a restart too", async () => {
    await using at = await here();
    const { on, ann } = at;
    await ann.says("", { files: [cat] });
    const asked = await ann.sees("What shall I make");
    await ann.says("slow zoom");
    const first = await ann.sees("“slow zoom”");
    await on.restart();
    await ann.says("leaves moving");
    const changed = await ann.sees("“leaves moving”");
    const now = (id: string) => ann.chat().find((message) => message.id === id);
    await on.discord.until(() => now(first.id)?.buttons.length === 0, 10_000);
    expect(now(first.id)?.text).toBe("Cancelled. Nothing was charged.");
    // What can be made of the photo was asked, and can be chosen once more.
    const picked = await ann.selects("Choose what to make", "Photo to video", { on: asked });
    expect(picked.kind).toBe(InteractionResponseType.Modal);
    ann.closesModal();
    await ann.presses(/^Make it/, { on: changed });
    expect(await submitted(on, 1)).toEqual(["leaves moving"]);
  });

  it("whose words are said anew keeps the new form before the old one is given up", async () => {
    await using at = await here();
    const { on, ann } = at;
    const store = () => new DraftStore(memory(on.database, "discord"));
    const isKept = async ({ id }: SeenMessage) => (await store().find(id)) !== undefined;
    const before = await ann.says("slow zoom", { files: [cat] });
    await ann.sees("“slow zoom”");
    on.discord.fails("PATCH /channels/{channel_id}/messages/{message_id}", {
      kind: "slow",
      ms: 2 * PATIENCE_MS,
    });
    const after = await ann.says("leaves moving");
    await expect.poll(async () => [await isKept(before), await isKept(after)]).toEqual([true, true]);
    // Cut off there, it is said once more.
    await on.restart();
    await ann.sees("“leaves moving”");
    await expect.poll(() => isKept(before)).toBe(false);
  });

  it("begins at once where that was allowed, and the result takes the place of its progress", async () => {
    await using at = await here();
    const { ann } = at;
    await allowSpending(ann, "100");
    const sent = await ann.says("slow zoom", { files: [cat] });
    const result = await ann.sees(isResult);
    expect(result.replyTo).toBe(sent.id);
    expect(ann.chat().filter(({ replyTo }) => replyTo === sent.id)).toHaveLength(2);
  });

  it("is the first frame of a video, also where that is given to a command", async () => {
    await using at = await here();
    const { on, ann } = at;
    const film = attachment(await readFile(tinyClip()), "film.mp4");
    await ann.says("it goes on", { files: [film] });
    await ann.presses(/^Make it/, { on: await ann.sees("“it goes on”") });
    await ann.uses("/make video", { image: film, prompt: "backwards" }, { in: ann.conversation });
    await ann.presses(/^Make it/, { on: await ann.sees("“backwards”") });
    expect(await submitted(on, 2)).toEqual(["it goes on", "backwards"]);
  });

  it("is told to be no video where it is none", async () => {
    await using at = await here();
    const { ann } = at;
    await ann.says("it goes on", { files: [attachment(Buffer.from("no video"), "film.mp4")] });
    expect((await ann.sees("This video cannot be read.")).ephemeral).toBe(false);
  });

  it("is taken from the message that the words reply to", async () => {
    await using at = await here();
    const { ann } = at;
    const sent = await ann.says("", { files: [cat] });
    await ann.sees("What shall I make");
    await ann.says("slow zoom", { replyTo: sent });
    expect((await ann.sees("“slow zoom”")).text).toContain("Photo: ✓");
  });

  it("is given up by a word, and other words do what the commands of that name do", async () => {
    await using at = await here();
    const { on, ann } = at;
    await ann.says("slow zoom", { files: [cat] });
    const offer = await ann.sees("“slow zoom”");
    await ann.uses("/make image", { prompt: "a lake" });
    const other = await ann.sees("“a lake”");
    await ann.says("Stop!");
    await ann.sees("Everything that was being prepared here is cancelled (2)");
    for (const { id } of [offer, other])
      await on.discord.until(() => ann.chat().find((one) => one.id === id)?.buttons.length === 0);
    await ann.says("cancel");
    await ann.sees("Nothing is being prepared here");
    await ann.says("Hilfe");
    await ann.sees("Right-click a picture");
    await ann.says("balance");
    await ann.sees("The operator's key pays here");
    await ann.says("language");
    await ann.presses("Fill in", { on: await ann.sees("Still needed: Language") });
    expect(ann.modal()?.title).toBe("Language");
    ann.closesModal();
    await ann.says("stop", { files: [cat] });
    expect((await ann.sees("“stop”")).text).toContain("Photo: ✓");
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("is changed by words after a form that a command began, which is closed for the new one", async () => {
    await using at = await here();
    const { on, ann } = at;
    await ann.uses("/make image", { prompt: "a lake" });
    const form = await ann.sees("“a lake”");
    await ann.says("a lake at night");
    const changed = await ann.sees("“a lake at night”");
    await on.discord.until(() => ann.chat().find(({ id }) => id === form.id)?.buttons.length === 0);
    await ann.presses(/^Make it/, { on: changed });
    expect(await submitted(on, 1)).toEqual(["a lake at night"]);
  });

  it("whose form could not be changed when it was given up says that it is cancelled where it is pressed", async () => {
    await using at = await here();
    const { on, ann } = at;
    await ann.says("slow zoom", { files: [cat] });
    const offer = await ann.sees("“slow zoom”");
    on.discord.fails("PATCH /channels/{channel_id}/messages/{message_id}", { kind: "internal" }, 4);
    await ann.says("cancel");
    const told = await ann.sees("Cancelled. Nothing was charged.");
    expect(told.id).not.toBe(offer.id);
    await ann.presses(/^Make it/, { on: offer });
    const now = () => ann.chat().find(({ id }) => id === offer.id);
    await expect.poll(() => now()?.text).toBe("Cancelled. Nothing was charged.");
    expect(now()?.buttons).toEqual([]);
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("that is given up while it is asked what to make of it says so to whoever chooses all the same", async () => {
    await using at = await here();
    const { ann } = at;
    await ann.says("", { files: [cat] });
    const asked = await ann.sees("What shall I make");
    await ann.says("cancel");
    const now = () => ann.chat().find(({ id }) => id === asked.id);
    await expect.poll(() => now()?.text).toBe("Cancelled. Nothing was charged.");
    expect(now()?.buttons).toEqual([]);
    await ann.selects("Choose what to make", "Photo to video", { on: asked });
    await ann.sees("Cancelled. Nothing was charged.", { fresh: true });
    expect(ann.modal()).toBeUndefined();
  });

  it("begins anew where what its form was for was switched off meanwhile", async () => {
    await using at = await here();
    const { on, ann } = at;
    const sent = await ann.says("slow zoom", { files: [cat] });
    await ann.sees("“slow zoom”");
    const store = new DraftStore(memory(on.database, "discord"));
    const draft = await store.find(sent.id);
    if (draft) await store.keep({ ...draft, operation: "switched-off" });
    await ann.says("leaves moving");
    await ann.sees("Send a picture with a line");
    await ann.says("fast zoom", { files: [cat] });
    const offer = await ann.sees("“fast zoom”");
    await ann.presses(/^Make it/, { on: offer });
    expect(await submitted(on, 1)).toEqual(["fast zoom"]);
  });

  it("that is none says why, and words alone say what to do", async () => {
    await using at = await here();
    const { ann } = at;
    await ann.says("hello");
    await ann.sees("/make");
    const pdf = attachment(Buffer.from("%PDF-1.7\n"), "cat.pdf");
    await ann.says("", { files: [pdf] });
    await ann.sees("cannot be used");
    await ann.says("slow zoom", { files: [pdf] });
    await ann.sees("cannot be used", { fresh: true });
    // What was said stays, and the photo that follows is for it.
    await ann.says("", { files: [cat] });
    expect((await ann.sees("“slow zoom”", { fresh: true })).text).toContain("Photo: ✓");
  });
});

describe("a photo in a channel", () => {
  it("reaches the bot by a mention, and only its author goes on", async () => {
    await using at = await here();
    const { on, ann, bob, channel, mention } = at;
    const sent = await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    const offer = await bob.sees("“slow zoom”", { in: channel });
    expect(offer).toMatchObject({ replyTo: sent.id, ephemeral: false });
    await bob.presses(/^Make it/, { on: offer });
    expect((await bob.sees(notMine)).ephemeral).toBe(true);
    await bob.presses(/^What should happen/, { on: offer });
    await bob.sees(notMine, { fresh: true });
    expect((await bob.sees("“slow zoom”", { in: channel })).buttons).toEqual(offer.buttons);
    await ann.presses(/^Make it/, { on: offer });
    await bob.sees(isResult, { in: channel });
    const after = bob.chat({ in: channel }).find(({ id }) => id === offer.id);
    expect(after).toMatchObject({ buttons: [] });
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("is given up by a word to the bot there, and what is prepared elsewhere is not", async () => {
    await using at = await here();
    const { on, ann, bob, channel, mention } = at;
    await ann.says("a lake", { files: [cat] });
    const elsewhere = await ann.sees("“a lake”");
    await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    const offer = await ann.sees("“slow zoom”", { in: channel });
    await bob.says(`${mention} cancel`, { in: channel });
    await bob.sees("Nothing is being prepared here", { in: channel });
    await ann.says(`${mention} cancel`, { in: channel });
    await ann.sees("Cancelled. Nothing was charged.", { in: channel });
    await on.discord.until(() => buttonsOf(offer.id, ann.chat({ in: channel }))?.length === 0);
    expect(buttonsOf(elsewhere.id, ann.chat())).not.toEqual([]);
    await ann.says(`${mention} help`, { in: channel });
    await ann.sees("Right-click a picture", { in: channel });
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("is subject to what is set for roles of its author", async () => {
    await using at = await here();
    const { ann, bob, channel, mention } = at;
    const { guild } = channel;
    if (!guild) throw new Error("There is no server.");
    const artists = guild.role("Artists", [ann]);
    guild.appoints(bob);
    await bob.uses("/server operations", {}, { in: channel });
    await bob.selects("Choose what is allowed", ["Picture from words"]);
    await bob.sees("Saved.");
    await bob.uses("/server operations", { role: artists }, { in: channel });
    await bob.selects("Choose what is allowed", ["Photo to video"]);
    await bob.sees(`<@&${artists.id}>`);
    await bob.says(`${mention} fast zoom`, { in: channel, files: [cat] });
    await bob.sees("“Photo to video” is not allowed here", { in: channel });
    await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    const offer = await ann.sees(/^(?!.*not allowed).*“slow zoom”/s, { in: channel });
    expect(offer.buttons.flat()).toContainEqual(expect.stringMatching(/^Make it/));
  });

  it("tells nobody what its author has left", async () => {
    await using at = await here({ paid: false });
    const { on, ann, bob, channel, mention } = at;
    await ann.uses("/connect", {}, { in: channel });
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("tokens");
    await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    await bob.sees("“slow zoom”", { in: channel });
    for (const { text } of bob.chat({ in: channel })) expect(text).not.toContain("Balance");
  });

  it("without words is offered to its author alone", async () => {
    await using at = await here();
    const { ann, bob, channel, mention } = at;
    await ann.says(mention, { in: channel, files: [cat] });
    const asked = await bob.sees("What shall I make", { in: channel });
    await bob.selects("Choose what to make", "Photo to video", { on: asked });
    expect((await bob.sees(notMine)).ephemeral).toBe(true);
    const picked = await ann.selects("Choose what to make", "Photo to video", { on: asked });
    expect(picked.kind).toBe(InteractionResponseType.Modal);
  });

  it("is none of the bot's where it is not mentioned, by bots or by webhooks", async () => {
    await using at = await here();
    const { on, ann, channel, mention } = at;
    await ann.says("slow zoom", { in: channel, files: [cat] });
    for (const kind of ["bot", "webhook"] as const) {
      const other = on.discord.person({ name: kind, kind });
      await other.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    }
    // What comes later is dealt with later.
    await ann.says(`${mention} hello`, { in: channel });
    await ann.sees("/make", { in: channel });
    expect(ann.chat({ in: channel }).filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("makes one draft, however often it is told or edited", async () => {
    await using at = await here();
    const { ann, channel, mention } = at;
    const sent = await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    ann.repeats(sent);
    await ann.sees("“slow zoom”", { in: channel });
    ann.edits(sent, `${mention} fast zoom`);
    ann.repeats(sent);
    await at.on.restart();
    ann.repeats(sent);
    await ann.says(`${mention} hello`, { in: channel });
    await ann.sees("/make", { in: channel });
    expect(ann.chat({ in: channel }).filter(({ replyTo }) => replyTo === sent.id)).toHaveLength(1);
  });

  it("keeps a key that stands beside it out of everything", async () => {
    await using at = await here({ paid: false });
    const { on, ann, channel, mention } = at;
    await ann.says(`${mention} ${on.sandbox.keys.pro}`, { in: channel, files: [cat] });
    await ann.sees("key", { in: channel });
    const said = ann.chat({ in: channel }).filter(({ from }) => from === "bot");
    expect(said.map(({ text }) => text).join()).not.toContain(on.sandbox.keys.pro);
  });

  it("leads whoever wrote a key in it to where nobody else reads one", async () => {
    await using at = await here({ paid: false });
    const { on, ann, channel, mention } = at;
    await ann.says(`${mention} ${on.sandbox.keys.pro}`, { in: channel });
    const told = await ann.sees(/others here may have seen it. Delete your message/, { in: channel });
    await ann.presses("Connect a key", { on: told });
    expect(ann.modal()?.title).toBe("Connect a key");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    expect((await ann.sees("Your key works", { in: channel })).ephemeral).toBe(true);
  });

  it("is answered in direct messages where the bot may not write", async () => {
    await using at = await here();
    const { ann, channel, mention } = at;
    channel.denies("SendMessages");
    await ann.says(`${mention} slow zoom`, { in: channel, files: [cat] });
    const offer = await ann.sees("“slow zoom”");
    expect(offer.channelId).toBe(ann.conversation.id);
    expect(offer.controls.flat().map(labelOf)).toContain("Cancel");
  });
});
