import { InteractionResponseType, Locale, Routes } from "discord.js";
import { describe, expect, it } from "vitest";
import { call } from "../../support/discord/bare-bot.ts";
import { harness } from "./harness.ts";

describe("/connect", () => {
  it("takes a key in a modal, tells whose it is, and never shows it again", async () => {
    await using on = await harness({ paid: false });
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    const ben = on.discord.person({ name: "Ben" });
    ben.joins(channel);
    const opened = await ann.uses("/connect", {}, { in: channel });
    expect(opened.kind).toBe(InteractionResponseType.Modal);
    expect(ann.modal()).toMatchObject({ title: "Connect a key", fields: [{ label: "API key", value: "" }] });
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    const done = await ann.sees("Your key works");
    expect(done.text).toMatch(/Account: pro\nBalance: [\d,.]+ tokens\nSubscription: active until/);
    expect(done.ephemeral).toBe(true);
    await ann.uses("/connect", {}, { in: channel });
    expect(JSON.stringify(ann.modal())).not.toContain(on.sandbox.keys.pro);
    expect(JSON.stringify(on.discord.calls())).not.toContain(on.sandbox.keys.pro);
    expect(ben.chat({ in: channel })).toEqual([]);
  });

  it("says that a key is wrong, and keeps none", async () => {
    await using on = await harness({ paid: false });
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": "rk_not_a_key_at_all" });
    expect((await ann.sees("does not know this key")).text).not.toContain("rk_not");
    await ann.uses("/balance");
    await ann.sees("No key is connected yet.");
  });

  it("is undone by /disconnect", async () => {
    await using on = await harness({ paid: false });
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": on.sandbox.keys.standard });
    await ann.sees("Your key works");
    await ann.uses("/disconnect");
    await ann.sees("Your stored key is erased.");
    await ann.uses("/privacy");
    expect((await ann.sees("Reelay keeps")).text).toContain("Your key: none");
  });
});

describe("what is about somebody", () => {
  it.each([
    ["/balance", "This is the sandbox"],
    ["/stats", "Your account's jobs"],
    ["/privacy", "Jobs: 0"],
    ["/jobs", "Nothing here yet"],
    ["/delete-all", "There is nothing to delete."],
    ["/help", "/templates"],
    ["/adult", "18"],
    ["/forget", "Erase everything"],
    ["/templates", "ready-made looks"],
  ])("is told them alone: %s", async (command, words) => {
    await using on = await harness();
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    const ben = on.discord.person({ name: "Ben" });
    ben.joins(channel);
    await ann.uses(command, {}, { in: channel });
    expect((await ann.sees(words)).ephemeral).toBe(true);
    expect(ben.chat({ in: channel })).toEqual([]);
  });

  it("is an ordinary message in the conversation with the bot", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/balance");
    expect((await ann.sees("This is the sandbox")).ephemeral).toBe(false);
  });
});

describe("the language", () => {
  it("is the one of the person's Discord, until they choose another", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann", locale: Locale.German });
    await ann.uses("/guthaben");
    await ann.sees("Das ist die Sandbox");
    await ann.uses("/sprache", { sprache: "Polski" });
    await ann.sees("Zapisano.");
    await ann.uses("/guthaben");
    expect((await ann.sees("To piaskownica")).text).toContain("Saldo: 5000,75 tokena");
  });

  it("is set with other things in a modal that is filled in", async () => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/settings");
    expect(ann.modal()).toMatchObject({ title: "Settings", fields: [{ label: "Language" }, { value: "" }] });
    await ann.submitsModal({ Language: "English", "Ask only above (tokens)": "12.5" });
    const saved = await ann.sees("Saved.");
    expect(saved.text).toContain("Ask only above (tokens): 12.5 tokens");
    await ann.uses("/settings");
    expect(ann.modal()?.fields.map(({ value }) => value)).toEqual(["English", "12.5"]);
  });
});

describe("/help", () => {
  it.each([
    [Locale.German, "/hilfe", "/vorlagen", "Rechtsklick", "Animieren"],
    [Locale.Polish, "/pomoc", "/szablony", "prawym przyciskiem", "Ożyw"],
  ])("says in %s how it is used here", async (locale, command, ...words) => {
    await using on = await harness();
    const ann = on.discord.person({ name: "Ann", locale });
    await ann.uses(command);
    const { text } = await ann.sees(words[0] ?? "");
    for (const word of words) expect(text).toContain(word);
  });
});

describe("what takes everything away", () => {
  it("is confirmed twice, in one message, and may be let be", async () => {
    await using on = await harness();
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    await ann.uses("/language", { language: "Polski" }, { in: channel });
    await ann.sees("Zapisano.");
    await ann.uses("/forget", {}, { in: channel });
    const question = await ann.sees("Usunąć wszystko");
    await ann.presses("Usuń tutaj");
    await ann.presses("Nie, zachowaj wszystko");
    expect(await ann.sees("Nic nie zostało usunięte.")).toMatchObject({ id: question.id, buttons: [] });
    await ann.uses("/forget", {}, { in: channel });
    await ann.presses("Usuń tutaj");
    await ann.presses("Tak, usuń na zawsze");
    await ann.sees("Reelay nie ma już o tobie żadnych danych");
    await ann.uses("/balance", {}, { in: channel });
    await ann.sees("This is the sandbox");
  });
});

describe("a button", () => {
  it("of an earlier version that nobody knows any more is refused with a sentence", async () => {
    await using on = await harness();
    const channel = on.discord.guild({ name: "Films" }).channel();
    const ann = on.discord.person({ name: "Ann" });
    await call(on.discord, `POST ${Routes.channelMessages(channel.id)}`, {
      content: "Long ago",
      components: [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "~gone:1" }] }],
    });
    ann.joins(channel);
    await ann.presses("Go", { in: channel });
    const refused = await ann.sees("This button is too old");
    expect(refused.ephemeral).toBe(true);
    expect((await ann.sees("Long ago")).buttons).toEqual([["Go"]]);
  });
});
