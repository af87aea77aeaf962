import {
  type APIApplicationCommandOption,
  ApplicationCommandOptionType as Kind,
  Locale,
  Routes,
} from "discord.js";
import { describe, expect, it } from "vitest";
import { wordCommands } from "../../../adapters/discord/commands/commands.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { LOCALES } from "../../../src/common/i18n.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";

const commands = wordCommands(COMMAND_SPECS);

/** A fake that has taken the commands. */
async function published() {
  const discord = await FakeDiscord.start();
  const answer = await call(discord, `PUT ${Routes.applicationCommands(discord.applicationId)}`, commands);
  expect(answer).toMatchObject({ status: 200 });
  return discord;
}

const namesIn = (options: readonly APIApplicationCommandOption[] = []) => options.map(({ name }) => name);

describe("the commands besides /make", () => {
  it("are taken by Discord, every one that the core has", async () => {
    await using discord = await published();
    const ann = discord.person({ name: "Ann" });
    const offered = ann.commands().map(({ name }) => name);
    const words = COMMAND_SPECS.filter(({ kind }) => kind === "command");
    expect(offered).toEqual([...words.map(({ name }) => `/${name}`), "/templates", "/models"]);
  });

  it.each([
    [Locale.German, "/verbinden", "Mit deinem eigenen Konto beim Dienst bezahlen"],
    [Locale.Polish, "/podłącz", "Płać własnym kontem w usłudze"],
    [Locale.Italian, "/connect", "Pay with your own account at the service"],
  ])("are offered in %s as %s", async (locale, name, description) => {
    await using discord = await published();
    const ann = discord.person({ name: "Ann", locale });
    expect(ann.commands()).toContainEqual({ name, description });
  });

  it.each([Locale.German, Locale.Polish])("have a name of their own each, in %s too", (locale) => {
    const names = commands.map((command) => command.name_localizations?.[locale]);
    expect(new Set(names).size).toBe(commands.length);
    expect(names).not.toContain(undefined);
  });

  it("are there for a server and for somebody alone, in servers and in conversations", () => {
    const ofServers = new Set(["server", "reports"]);
    for (const { name, contexts, integration_types } of commands.filter(({ name }) => !ofServers.has(name)))
      expect({ contexts, integration_types }, name).toEqual({
        contexts: [0, 1, 2],
        integration_types: [0, 1],
      });
  });

  it("ask beside their name for a choice only, never for a key", () => {
    const asking = commands.filter(({ options = [] }) => options.length > 0).map(({ name }) => name);
    expect(asking).toEqual(["language", "withdraw", "templates", "models", "server"]);
    const language = commands.find(({ name }) => name === "language");
    expect(language?.options).toMatchObject([
      {
        name: "language",
        type: Kind.String,
        required: true,
        choices: LOCALES.map((value) => ({ value })),
      },
    ]);
  });
});

describe("/reports", () => {
  it("is offered to those who moderate a server, and in no conversation", () => {
    expect(commands.find(({ name }) => name === "reports")).toMatchObject({
      contexts: [0],
      integration_types: [0],
      default_member_permissions: "1099511627776",
    });
  });
});

describe("/server", () => {
  it("is offered to managers of a server only, and in no conversation", async () => {
    await using discord = await published();
    const guild = discord.guild({ name: "Films" });
    const channel = guild.channel();
    const ann = discord.person({ name: "Ann" });
    const names = () => ann.commands({ in: channel }).map(({ name }) => name);
    ann.joins(channel);
    expect(names()).not.toContain("/server");
    guild.appoints(ann);
    expect(names()).toContain("/server");
    expect(ann.commands().map(({ name }) => name)).not.toContain("/server");
  });

  it("says what can be set", () => {
    const server = commands.find(({ name }) => name === "server");
    expect(namesIn(server?.options)).toEqual([
      "show",
      "reports",
      "log",
      "channels",
      "operations",
      "adults",
      "key",
      "remove-key",
      "quota",
      "limit",
      "budget",
      "language",
    ]);
  });
});
