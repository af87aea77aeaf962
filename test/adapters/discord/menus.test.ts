import { InteractionResponseType, Locale } from "discord.js";
import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

describe("under a message with a picture", () => {
  it("Animate asks for what a video needs, and makes it for all to see", async () => {
    await using at = await makingHarness();
    const { on, ann, bob, channel } = at;
    const shown = await bob.says("my cat", { in: channel, files: [cat] });
    const chosen = await ann.contextMenu("Animate", shown);
    expect(chosen.kind).toBe(InteractionResponseType.Modal);
    expect(ann.modal()).toMatchObject({ title: "Photo to video" });
    await ann.submitsModal({ "What should happen": "it yawns", "Length in seconds": ["3"] });
    await ann.presses(/^Make it/);
    await bob.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["it yawns"]);
  });

  it("Edit takes as many of its pictures as there is room for", async () => {
    await using at = await makingHarness();
    const { ann, bob, channel } = at;
    const shown = await bob.says("my cats", { in: channel, files: [cat, cat] });
    await ann.contextMenu("Edit", shown);
    expect(ann.modal()).toMatchObject({ title: "Edit pictures" });
    await ann.submitsModal({ "What should change": "make it winter" });
    expect((await ann.sees("Edit pictures")).text).toContain("Pictures: 2 pictures");
  });

  it("Make something offers whatever takes its pictures, more than once", async () => {
    await using at = await makingHarness();
    const { ann, bob, channel } = at;
    const shown = await bob.says("my cats", { in: channel, files: [cat, cat] });
    await ann.contextMenu("Make something", shown);
    const offers = await ann.sees("What shall I make from these 2 pictures?");
    expect(offers.ephemeral).toBe(true);
    for (const operation of ["Edit pictures", "Longer video from pictures"]) {
      const picked = await ann.selects("Choose what to make", operation, { on: offers });
      expect(picked.kind).toBe(InteractionResponseType.Modal);
      expect(ann.modal()).toMatchObject({ title: operation });
    }
    await ann.submitsModal({ "What should happen": "they dance" });
    expect((await ann.sees("Longer video from pictures")).text).toContain("Pictures: 2 pictures");
  });

  it("is called as the person's language calls it", async () => {
    await using at = await makingHarness();
    const { on, bob, channel } = at;
    const eva = on.discord.person({ name: "Eva", locale: Locale.German });
    await eva.contextMenu("Animieren", await bob.says("my cat", { in: channel, files: [cat] }));
    expect(eva.modal()?.title).toBe("Foto zu Video");
    expect(eva.modal()?.fields[0]?.label).toBe("Was passieren soll");
  });

  it("says that there is none in others", async () => {
    await using at = await makingHarness();
    const { ann, bob, channel } = at;
    const words = attachment(Buffer.from("a cat"), "cat.txt");
    const shown = await bob.says("no cat", { in: channel, files: [words] });
    for (const menu of ["Animate", "Edit", "Make something"]) {
      await ann.contextMenu(menu, shown);
      expect((await ann.sees("This message has no picture", { fresh: true })).ephemeral).toBe(true);
    }
  });
});
