import { InteractionResponseType } from "discord.js";
import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult, makeFirst } from "./making-harness.ts";

describe("what can be changed", () => {
  it("is a modal a page, filled in with what was chosen", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves", duration: 4 }, { in: channel });
    await ann.presses(/^What should happen/);
    expect(ann.modal()?.fields.map(({ label, value }) => [label, value])).toEqual([
      ["What should happen", "waves"],
      ["Template", ""],
      ["Length in seconds", "4"],
      ["Shape", ""],
      ["Photo", ""],
    ]);
    await ann.submitsModal({ "What should happen": "storm", "Length in seconds": ["8"], Shape: ["Square"] });
    const offer = await ann.sees("“storm”");
    expect(offer.text).toContain("Length in seconds: 8\nShape: Square");
    await ann.presses(/Seed|Model/);
    await ann.submitsModal({ Seed: "42", Model: ["New"] });
    expect((await ann.sees("Seed: 42")).text).toContain("Model: New");
  });

  it("says which number it does not take, and keeps the rest", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    await ann.uses("/make video-audio", { prompt: "waves" }, { in: channel });
    await ann.presses(/^Photo, What should happen/);
    await ann.submitsModal({ "What should happen": "storm", "Width in pixels": "2000" });
    await ann.sees("“Width in pixels” must be from 64 to 1240.");
    await ann.presses("Try again");
    expect((await ann.sees("“storm”", { fresh: true })).text).not.toContain("Width");
  });

  it("is shown again where nothing is left to fill in by the time it is pressed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    const broken = attachment(Buffer.from("no picture"), "cat.jpg");
    await ann.uses("/make video", { image: broken, prompt: "waves" }, { in: channel });
    const asking = await ann.sees(({ buttons }) => buttons.flat().includes("Fill in"));
    await ann.presses("Fill in", { on: asking });
    await ann.submitsModal({ Photo: [cat] });
    const offer = await ann.sees("Photo to video costs about");
    await ann.presses("Fill in", { on: asking });
    await expect.poll(() => on.isBusy()).toBe(false);
    expect(ann.chat({ in: channel })).toMatchObject([
      { id: offer.id, text: offer.text, buttons: offer.buttons },
    ]);
    await ann.presses(/^Make it/, { on: offer });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("takes a template by its name, and offers its variants then", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.presses(/^What should happen/);
    await ann.submitsModal({ Template: "first SNOW" });
    await ann.sees("Template: First snow");
    await ann.presses(/^What should happen/);
    expect(ann.modal()?.fields[1]).toMatchObject({ label: "Template", value: "First snow" });
    expect(ann.modal()?.fields[2]?.options.map(({ label }) => label)).toEqual(["At night", "Bright day"]);
    await ann.submitsModal({ Variant: ["At night"] });
    await ann.sees("Variant: At night");
    await ann.presses(/^What should happen/);
    await ann.submitsModal({ "What should happen": "storm" });
    expect((await ann.sees("“storm”")).text).toContain("Template: First snow\nVariant: At night");
    await ann.presses(/^What should happen/);
    await ann.submitsModal({ Template: "Slow zoom" });
    expect((await ann.sees("Template: Slow zoom")).text).not.toContain("Variant");
  });
});

describe("a job that is changed", () => {
  it("begins with what it was made of, in a modal", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    const pressed = await ann.presses("Change");
    expect(pressed.kind).toBe(InteractionResponseType.Modal);
    expect(ann.modal()?.fields[0]).toMatchObject({ label: "What should happen", value: "first" });
    await ann.submitsModal({ "What should happen": "second" });
    await ann.presses(/^Make it/, { on: await ann.sees("“second”") });
    await on.discord.until(() => ann.chat({ in: channel }).filter(isResult).length === 2);
    expect(await submitted(on, 2)).toEqual(["first", "second"]);
  });

  it("can be changed after a restart", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    await ann.presses("Change");
    await on.restart();
    await ann.submitsModal({ "What should happen": "second" });
    expect((await ann.sees("“second”")).text).toContain("Photo: ✓");
  });
});

describe("a form of the core", () => {
  it("is asked again when its answer was wrong", async () => {
    await using at = await makingHarness({ paid: false });
    const { on, ann } = at;
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": "rk_not_a_key_at_all" });
    await ann.sees("does not know this key");
    await ann.presses("Fill in");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    expect((await ann.sees("Your key works")).text).toContain("Account: pro");
  });
});
