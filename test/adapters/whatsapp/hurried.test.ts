import { describe, expect, it } from "vitest";
import { USUAL } from "../../support/whatsapp/liberties.ts";
import { begins, harness, held, isFilm, photo } from "./harness.ts";

describe("somebody's first words", () => {
  it("are answered with what there is here, the language and what can be made of them; the next are not greeted", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("Hola");
    const welcome = await ann.sees("Send me a photo and a line of text");
    expect(welcome.text).toContain("make something from the words alone");
    expect(welcome.buttons).toContain("Language");
    await ann.presses("Picture from words");
    await ann.sees("“Hola”", { fresh: true });
    ann.says("/cancel");
    await ann.sees(() => true, { fresh: true });
    ann.says("a dog on a beach");
    const next = await ann.sees("make something from the words alone", { fresh: true });
    expect(next.text).not.toContain("Send me a photo and a line of text");
  });
});

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

  it("stop: says that something is being made already, and leads to it", async () => {
    const { render, release } = held();
    await using at = await harness({ render });
    const ann = await at.regular("Ann");
    await begins(ann, "slow zoom");
    await ann.sees("begun");
    ann.says("stop");
    const said = await ann.sees("Nothing is being prepared", { fresh: true });
    expect(said.text).toContain("something of yours is being made");
    await ann.presses("My jobs", { on: said });
    await ann.sees("slow zoom", { fresh: true });
    release();
    await ann.sees(isFilm);
    // It is there a moment before that is noted.
    await expect.poll(() => at.deliveries()).toEqual(["delivered"]);
    ann.says("stop");
    expect((await ann.sees("Nothing is being prepared", { fresh: true })).text).not.toContain("something of");
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

  it("drop a draft, whose buttons then say no more than that", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    const form = await ann.sees("slow zoom");
    ann.says("cancel");
    await ann.sees("Cancelled. Nothing was charged.", { fresh: true });
    await ann.presses(/generate/i, { on: form });
    const told = await ann.sees(() => true, { fresh: true });
    expect(told.text).toBe("Cancelled. Nothing was charged.");
    expect((await at.sandbox.ledger()).submissions).toEqual([]);
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

describe("words under a photo that a draft waits for", () => {
  it("take the place of those that it had", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("/video dance slowly");
    await ann.sees("dance slowly");
    ann.sendsPhoto(photo, { caption: "jump for joy" });
    const offer = await ann.sees("2.7 tokens", { fresh: true });
    expect(offer.text).toContain("jump for joy");
  });
});

describe("photos close together with words of their own", () => {
  it("are each meant for something: none is lost", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const [dance, , jump] = [
      ann.sendsPhoto(photo, { caption: "they dance" }),
      ann.sendsPhoto(photo),
      ann.sendsPhoto(photo, { caption: "she jumps" }),
    ];
    const one = await ann.sees(({ text }) => text.includes("she jumps"));
    const two = await ann.sees(({ text }) => text.includes("they dance"));
    expect([one.replyTo, two.replyTo]).toEqual([jump.id, dance.id]);
    expect(two.text).toContain("2 pictures");
    await ann.presses(/generate/i, { on: one });
    await ann.sees(isFilm);
    await ann.presses(/generate/i, { on: two });
    await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(2);
  });
});

describe("a message that somebody deletes", () => {
  it("is not answered: they were asked to, where a key was in it", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const sent = ann.sendsLocation();
    await ann.sees("place");
    const told = ann.takesBack(sent);
    await at.whatsapp.untilHeard();
    ann.says("/balance");
    await ann.sees("tokens", { fresh: true });
    await at.whatsapp.untilHeard();
    // What answers what is no message may be refused: nothing was tried, either.
    const calls = at.whatsapp.calls("messages");
    expect(calls.filter(({ body }) => JSON.stringify(body).includes(told))).toEqual([]);
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(2);
  });
});

describe("a photo that somebody deletes", () => {
  it("leaves what they prepare, which asks for another one", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const sent = ann.sendsPhoto(photo, { caption: "slow zoom" });
    const offer = await ann.sees("2.7 tokens");
    ann.takesBack(sent);
    const asked = await ann.sees("Send the photo", { fresh: true });
    expect(asked.text).toContain("slow zoom");
    expect(asked.text).not.toContain("Photo: ✓");
    await ann.presses(/generate/i, { on: offer });
    await ann.sees("Send the photo", { fresh: true });
    ann.says("they dance", { replyTo: sent });
    await ann.sees("they dance", { fresh: true });
    await at.whatsapp.untilHeard();
    expect((await at.sandbox.ledger()).submissions).toEqual([]);
    ann.sendsPhoto(photo);
    expect((await ann.sees("2.7 tokens", { fresh: true })).text).toContain("they dance");
  });

  it("alone leaves nothing to be made, and one of several the others", async () => {
    await using at = await harness();
    const [ann, bob] = [await at.regular("Ann"), await at.regular("Bob")];
    const one = ann.sendsPhoto(photo);
    await ann.sees(({ buttons }) => buttons.length > 1);
    ann.takesBack(one);
    await ann.sees(/^Cancelled/, { fresh: true });
    const [first] = bob.sendsAlbum([photo, photo, photo], { caption: "they dance" });
    await bob.sees("3 pictures");
    if (first) bob.takesBack(first);
    expect((await bob.sees("2 pictures", { fresh: true })).text).not.toContain("3 pictures");
  });

  it("is not asked about where it is told of before the photo itself", async () => {
    await using at = await harness({ liberties: { ...USUAL, order: "reversed" } });
    const ann = await at.regular("Ann");
    ann.takesBack(ann.sendsPhoto(photo, { caption: "slow zoom" }));
    await at.whatsapp.untilHeard();
    ann.says("/balance");
    await ann.sees("play money", { fresh: true });
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });
});

describe("an answer that WhatsApp fails to take", () => {
  it.each([131_000, 131_016, 2] as const)("(%i) is sent again", async (code) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    at.whatsapp.fails("messages", { kind: "code", code }, 2, ({ type }) => type === "interactive");
    const sent = ann.sendsPhoto(photo, { caption: "slow zoom" });
    expect(await ann.sees("2.7 tokens")).toMatchObject({ replyTo: sent.id });
  });
});
