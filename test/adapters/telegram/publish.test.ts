import { describe, expect, it } from "vitest";
import { publish } from "../../../adapters/telegram/publish.ts";
import { languageOf, LOCALES } from "../../../src/common/i18n.ts";
import { transport } from "./transport-harness.ts";

interface Menu {
  readonly commands: readonly { readonly command: string; readonly description: string }[];
}

const namesIn = (params: object) => (params as Menu).commands.map(({ command }) => command);

describe("the bot's menu and description", () => {
  it("are published in every language, and in the operator's for everybody else", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const menus = harness.telegram.calls("setMyCommands");
    expect(menus.every(({ error }) => error === undefined)).toBe(true);
    const privately = menus.filter(({ params }) => params["scope"] === undefined);
    expect(privately.map(({ params }) => params["language_code"])).toEqual([
      undefined,
      ...LOCALES.map(languageOf),
    ]);
    for (const { params } of privately) {
      expect(namesIn(params)).toEqual(["templates", "jobs", "balance", "connect", "settings", "help"]);
    }
  });

  it("say what the bot is in every language, under the name that its operator gave it", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const { profile, bot } = harness.telegram;
    for (const said of [profile.descriptions, profile.shortDescriptions]) {
      expect([...said.keys()]).toEqual(["", ...LOCALES.map(languageOf)]);
      expect(new Set(said.values()).size).toBe(LOCALES.length);
    }
    expect([...profile.names.keys()]).toEqual(LOCALES.map(languageOf));
    for (const name of profile.names.values()) expect(name).toMatch(new RegExp(`^${bot.first_name} · .`));
    expect(new Set(profile.names.values()).size).toBe(LOCALES.length);
  });

  it("leave a name alone that has no room behind it", async () => {
    await using harness = await transport();
    harness.telegram.profile.names.set("", "N".repeat(60));
    await publish(harness.services);
    expect(harness.telegram.calls("setMyName")).toEqual([]);
  });

  it("offer three in groups, of what is answered there, and the rules to those who manage one", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const inGroups = harness.telegram.calls("setMyCommands").filter(({ params }) => params["scope"]);
    expect(inGroups).toHaveLength(2 * (1 + LOCALES.length));
    for (const { params } of inGroups) {
      const isManaging = JSON.stringify(params["scope"]).includes("all_chat_administrators");
      const names = ["video", "templates", "help", ...(isManaging ? ["group"] : [])];
      expect(namesIn(params)).toEqual(names);
    }
  });

  it("are published again only when they have changed, and of that what is not so already", async () => {
    await using harness = await transport();
    const { services, telegram } = harness;
    await publish(services);
    const { length: first } = telegram.calls();
    await publish(services);
    expect(
      telegram
        .calls()
        .slice(first)
        .map(({ method }) => method),
    ).toEqual(["getMyName"]);
    telegram.profile.descriptions.set("de", "Was anderes");
    await publish({ ...services, intake: { ...services.intake, commands: [] } });
    const again = telegram.calls().slice(first + 1);
    const said = again.filter(({ method }) => /^setMy(Name|(Short)?Description)$/.test(method));
    expect(said.map(({ method, params }) => [method, params["language_code"]])).toEqual([
      ["setMyDescription", "de"],
    ]);
    expect(again.filter(({ method }) => method === "setMyCommands")).not.toEqual([]);
  });

  it("are published in full the next time when the connection broke in the middle", async () => {
    await using harness = await transport();
    const broken = publish(harness.services);
    await harness.telegram.until(() => harness.telegram.calls().length > 5);
    await harness.sender.stop(0);
    await expect(broken).rejects.toThrow(/not sent|stops/);
    expect(await harness.memory.entries()).toEqual([]);
  });
});
