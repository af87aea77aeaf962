import { describe, expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

describe("words that are a command without its slash", () => {
  it.each([
    ["Help", "You can also type"],
    ["menu", "You can also type"],
    ["my jobs", "Nothing here yet"],
    ["Settings", "Settings"],
    ["Forget me", "erase"],
    ["STOP", "Nothing is being prepared"],
  ])("%s: they do what it does", async (words, said) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says(words);
    expect((await ann.sees(() => true)).text).toMatch(new RegExp(said, "i"));
  });

  it("are understood in their language, and drop a draft", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("/language de");
    await ann.sees("Gespeichert");
    ann.says("Hilfe");
    await ann.sees("Du kannst auch tippen");
    ann.sendsPhoto(photo, { caption: "langsam heran" });
    await ann.sees("langsam heran", { fresh: true });
    ann.says("Abbrechen");
    await ann.sees(() => true, { fresh: true });
    ann.says("/cancel");
    const none = await ann.sees("nichts vorbereitet", { fresh: true });
    expect(none.buttons).toEqual(["Meine Aufträge"]);
  });

  it("are words under a photo, as an answer to one, and where they are asked for", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const sent = ann.sendsPhoto(photo, { caption: "Stop" });
    expect((await ann.sees("2.7 tokens")).text).toContain("Stop");
    ann.says("help", { replyTo: sent });
    expect((await ann.sees("2.7 tokens", { fresh: true })).text).toContain("help");
    ann.says("/video");
    ann.sendsPhoto(photo);
    await ann.sees("should happen", { fresh: true });
    ann.says("balance");
    expect((await ann.sees("2.7 tokens", { fresh: true })).text).toContain("balance");
  });
});
