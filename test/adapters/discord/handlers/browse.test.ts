import { InteractionResponseType, Locale } from "discord.js";
import { describe, expect, it } from "vitest";
import { attachment } from "../../../support/discord/attachment.ts";
import type { Channel } from "../../../support/discord/channel.ts";
import type { Person } from "../../../support/discord/person.ts";
import { testPicture } from "../../../support/sandbox.ts";
import { harness } from "../harness.ts";

/** Whether somebody is offered the category that is for adults only. */
async function showsAdults(person: Person, channel: Channel): Promise<boolean> {
  await person.uses("/templates", {}, { in: channel });
  await person.presses("Templates for videos", { in: channel });
  const { buttons } = await person.sees("Templates for videos", { fresh: true, in: channel });
  return buttons.flat().some((label) => label.startsWith("After dark"));
}

describe("/templates", () => {
  it("leads by categories and pages to a card, in one message that only they see", async () => {
    await using on = await harness();
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    const ben = on.discord.person({ name: "Ben" });
    ben.joins(channel);
    await ann.uses("/templates", {}, { in: channel });
    const opened = await ann.sees("ready-made looks");
    await ann.presses("Templates for videos");
    await ann.presses(/^All \(\d+\)$/);
    await ann.sees(/page 1 of \d/);
    await ann.presses("Next ▶");
    await ann.sees(/page 2 of \d/);
    await ann.presses("◀ Previous");
    await ann.presses("‹ Back");
    await ann.presses(/^Camera \(\d+\)$/);
    await ann.sees(/^Camera, page 1/);
    await ann.presses(/Slow zoom/);
    const card = await ann.sees("Category: Camera");
    expect(card).toMatchObject({ id: opened.id, ephemeral: true });
    expect(card.buttons.flat()).toContain("Use it: Photo to video");
    expect(ben.chat({ in: channel })).toEqual([]);
  });

  it("leads on to what is made with it, a variant too, for which a modal asks what is missing", async () => {
    await using on = await harness();
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/templates", { search: "slow portrait" }, { in: channel });
    await ann.presses("Slow portrait");
    await ann.presses("Black and white");
    await ann.sees("Slow portrait · Black and white");
    await ann.presses("✓ Black and white");
    await ann.presses("Cool");
    expect((await ann.sees("Slow portrait · Cool")).buttons.flat()).not.toContain("Cool");
    const pressed = await ann.presses("Use it: Longer video from pictures");
    expect(pressed.kind).toBe(InteractionResponseType.Modal);
    expect(ann.modal()).toMatchObject({ title: "Longer video from pictures" });
    const photo = attachment(Buffer.from(await testPicture(), "base64"), "photo.jpg");
    await ann.submitsModal({ Pictures: [photo], "What should happen": "She smiles" });
    const offer = await ann.sees("Slow portrait", { fresh: true });
    expect(offer).toMatchObject({ ephemeral: true });
    expect(offer.text).toContain("Cool");
  });

  it("searches for words that a modal asks for, and says where there is nothing", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/templates");
    await ann.presses("🔍 Search");
    expect(ann.modal()?.fields).toMatchObject([{ label: "What are you looking for?", required: true }]);
    await ann.submitsModal({ "What are you looking for?": "golden hour" });
    await ann.sees("Found for “golden hour”");
    await ann.presses(/Golden hour/);
    await ann.sees("Category: Light");
    await ann.presses("‹ Back");
    await ann.sees("Found for “golden hour”", { fresh: true });
    await ann.uses("/templates", { search: "qwertyuiop" });
    await ann.sees("Nothing found.");
    await ann.presses("‹ Back");
    await ann.sees("ready-made looks", { fresh: true });
  });

  it("speaks the person's language", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann", locale: Locale.German });
    await ann.uses("/vorlagen", { suche: "slow zoom" });
    await ann.presses(/Slow zoom/);
    const card = await ann.sees("Kategorie: Camera");
    expect(card.buttons.flat()).toContain("Verwenden: Foto zu Video");
  });

  it("goes on after a restart", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/templates", { search: "slow portrait" });
    await ann.sees("Found for “slow portrait”");
    await on.restart();
    await ann.presses("Slow portrait");
    await ann.sees("Category: Portrait");
    await on.restart();
    await ann.presses("‹ Back");
    await ann.sees("Found for “slow portrait”", { fresh: true });
    await ann.presses("‹ Back");
    await ann.sees("ready-made looks");
    await on.restart();
    await ann.presses("🔍 Search");
    expect(ann.modal()?.title).toBe("🔍 Search");
  });

  it("shows what is for adults in age-restricted channels only", async () => {
    await using on = await harness({ settings: { REELAY_FULL_CATALOG: "age-restricted" } });
    const guild = on.discord.guild({ name: "Films" });
    const ann = on.discord.person({ name: "Ann" });
    expect(await showsAdults(ann, guild.channel())).toBe(false);
    expect(await showsAdults(ann, guild.channel({ nsfw: true }))).toBe(true);
    expect(await showsAdults(ann, ann.conversation)).toBe(false);
  });

  it("shows it in a conversation, too, to whoever said that they are, where the operator allows it", async () => {
    await using on = await harness({ settings: { REELAY_FULL_CATALOG: "private" } });
    const ann = on.discord.person({ name: "Ann" });
    expect(await showsAdults(ann, ann.conversation)).toBe(false);
    await ann.uses("/adult");
    await ann.presses("I am 18 or older");
    await ann.sees("Noted.");
    expect(await showsAdults(ann, ann.conversation)).toBe(true);
    expect(await showsAdults(ann, on.discord.guild({ name: "Films" }).channel())).toBe(false);
  });

  it("waits for a key where nobody pays", async () => {
    await using on = await harness({ paid: false });
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/templates");
    const opened = await ann.sees("ready-made looks");
    await ann.presses("Templates for videos");
    expect((await ann.sees("No key is connected yet.")).id).toBe(opened.id);
  });
});

describe("/models", () => {
  it("is the same for what draws pictures", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/models");
    await ann.presses("Picture models");
    const list = await ann.sees(/^Picture models, page 1/);
    expect(list.buttons.flat()).toContain("‹ Back");
    await ann.presses(list.buttons.flat()[0] ?? "");
    const pressed = await ann.presses("Use it: Picture from words");
    expect(pressed.kind).toBe(InteractionResponseType.Modal);
  });
});
