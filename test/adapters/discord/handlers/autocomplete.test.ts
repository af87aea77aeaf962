import { ChannelType, Locale } from "discord.js";
import { describe, expect, it } from "vitest";
import { DISCORD } from "../../../../adapters/discord/api/limits.ts";
import { cat, makingHarness } from "../making-harness.ts";

describe("what is offered while somebody types", () => {
  it("are templates by what they typed, the best first, in all at most 25", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    const some = await ann.types("/make video", "template", "snow", { in: channel });
    expect(some[0]).toEqual({ name: "⭐ First snow · Weather", value: "first-snow" });
    expect(await ann.types("/make video", "template", "", { in: channel })).toHaveLength(25);
    expect(await ann.types("/make video", "template", "no such thing", { in: channel })).toEqual([]);
  });

  it("are a template's variants, by the template's name too", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    for (const template of ["first-snow", "First Snow"]) {
      const variants = await ann.types("/make video", "variant", "", { in: channel, values: { template } });
      expect(variants.map(({ name }) => name)).toEqual(["At night", "Bright day"]);
    }
    expect(await ann.types("/make video", "variant", "", { in: channel })).toEqual([]);
  });

  it("are models, and shapes in the person's language", async () => {
    await using at = await makingHarness();
    const { on, ann } = at;
    const models = await ann.types("/make image", "model", "hill");
    expect(models.map(({ name }) => name)).toEqual(["Hill country"]);
    const eva = on.discord.person({ name: "Eva", locale: Locale.German });
    expect(await eva.types("/erstellen h3-aus-worten", "format", "hoch")).toEqual([
      { name: "Hochformat 9:16", value: "9:16" },
      { name: "Hochformat 3:4", value: "3:4" },
    ]);
  });

  it("is taken as it was picked, or as it was typed", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    await ann.types("/make video", "template", "snow", { in: channel });
    await ann.uses(
      "/make video",
      { image: cat, template: "⭐ First snow · Weather", variant: "at night" },
      { in: channel },
    );
    expect((await ann.sees("Photo to video costs")).text).toContain(
      "Template: First snow\nVariant: At night",
    );
    await ann.uses("/make h3-text", { prompt: "sea", shape: "landscape 16:9" }, { in: channel });
    expect((await ann.sees("Longer video from words")).text).toContain("Shape: Landscape 16:9");
  });

  it("is nothing where the service does not tell in time", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await on.sandbox.fault({ kind: "hang", match: { path: "/api/templates" } });
    expect(await ann.types("/make video", "template", "", { in: channel })).toEqual([]);
    // As Discord's time goes here.
    expect(on.discord.interactions().at(-1)?.acknowledgedAfter).toBeLessThan(DISCORD.firstAnswerMs);
  });

  it("leaves out what is flagged mature where anybody may be", async () => {
    await using at = await makingHarness({ settings: { REELAY_MATURE: "age-restricted" } });
    const { on, ann, channel } = at;
    const wine = (where: typeof channel) =>
      ann.types("/make video", "template", "wine evening", { in: where });
    expect(await wine(channel)).toEqual([]);
    const restricted = on.discord.guild({ name: "Late" }).channel({ nsfw: true });
    expect(restricted.type).toBe(ChannelType.GuildText);
    expect((await wine(restricted)).map(({ value }) => value)).toEqual(["wine-evening"]);
  });
});
