import { ApplicationCommandOptionType as Kind } from "discord.js";
import { describe, expect, it } from "vitest";
import { wordCommands } from "../../../../adapters/discord/commands/commands.ts";
import { makeCommands } from "../../../../adapters/discord/commands/options.ts";
import { slotsOf } from "../../../../adapters/discord/commands/slots.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { call } from "../../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../../support/discord/fake-discord.ts";

const operations = COMMAND_SPECS.filter(({ kind }) => kind === "operation");
const commands = makeCommands(COMMAND_SPECS);
const make = commands.find(({ name }) => name === "make");
const steps = make && "options" in make ? (make.options ?? []) : [];

/** The options of a subcommand. */
function optionsOf(name: string) {
  const step = steps.find((one) => one.name === name);
  return step?.type === Kind.Subcommand ? (step.options ?? []) : [];
}

describe("/make", () => {
  it("is taken by Discord, which refuses what is too long, too much or named badly", async () => {
    await using discord = await FakeDiscord.start();
    const route = `PUT /applications/${discord.applicationId}/commands`;
    expect(await call(discord, route, commands)).toMatchObject({ status: 200 });
  });

  it("is offered with nothing that leads nowhere, whatever the operator switched off", async () => {
    await using discord = await FakeDiscord.start();
    const route = `PUT /applications/${discord.applicationId}/commands`;
    const names = async (specs: typeof COMMAND_SPECS) => {
      const published = [...makeCommands(specs), ...wordCommands(specs)];
      expect(await call(discord, route, published)).toMatchObject({ status: 200 });
      return published.map(({ name }) => name);
    };
    const off = ["make", "Animate", "Edit", "Make something", "templates", "models"];
    expect(await names(COMMAND_SPECS)).toEqual(expect.arrayContaining(off));
    const nothing = await names(COMMAND_SPECS.filter(({ kind }) => kind === "command"));
    expect(nothing.filter((name) => off.includes(name))).toEqual([]);
    const words = await names(
      COMMAND_SPECS.filter(({ kind, name }) => kind === "command" || name === "image"),
    );
    expect(words.filter((name) => off.includes(name))).toEqual(["make", "models"]);
  });

  it("has a subcommand for every operation, and an option for every field", () => {
    expect(steps.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const { name, fields } of operations) {
      const asked = new Set(slotsOf(fields).map(({ field }) => field));
      expect(fields.filter((field) => !asked.has(field))).toEqual([]);
      expect(optionsOf(name).at(-1)).toMatchObject({ name: "private", type: Kind.Boolean });
    }
  });

  it("types its options as the fields are: files, bounds, choices, catalogues", () => {
    const video = Object.fromEntries(optionsOf("video").map((option) => [option.name, option]));
    expect(video).toMatchObject({
      image: { type: Kind.Attachment, required: true },
      prompt: { type: Kind.String, required: false },
      template: { type: Kind.String, autocomplete: true },
      variant: { autocomplete: true },
      duration: { type: Kind.Integer, min_value: 3, max_value: 8 },
      shape: { choices: [{ value: "portrait" }, { value: "landscape" }, { value: "square" }] },
      strength: { type: Kind.Number },
      upscale: { type: Kind.Boolean },
    });
    const files = optionsOf("vid3").filter(({ type }) => type === Kind.Attachment);
    expect(files.map(({ name }) => name)).toEqual([
      "image",
      "sound",
      "image_2",
      "image_3",
      "image_4",
      "image_5",
      "sound_2",
      "sound_3",
    ]);
    expect(optionsOf("vid3").find(({ name }) => name === "shape")).toMatchObject({ autocomplete: true });
  });

  it.each(["de", "pl"] as const)(
    "is called in %s as people there call it, each option otherwise",
    (locale) => {
      expect(make?.name_localizations?.[locale]).not.toBe("make");
      for (const step of steps) {
        const named = [...optionsOf(step.name)];
        const names = named.map(({ name, name_localizations: names }) => names?.[locale] ?? name);
        expect(new Set(names).size).toBe(names.length);
        expect(named.every(({ description_localizations: texts }) => texts?.[locale])).toBe(true);
      }
    },
  );
});
