import { describe, expect, it } from "vitest";
import { harness } from "../words-harness.ts";

describe("/start", () => {
  it("says in the person's language what the bot does, and what to do first", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann", language_code: "pl" });
    ann.says("/start");
    const hello = await ann.sees("Wyślij mi zdjęcie");
    expect(hello.text.split("\n")).toHaveLength(2);
    expect(hello.buttons.flat()).toEqual(["📷 Wyślij zdjęcie", "✨ Szablony", "Język", "Pomoc"]);
    await ann.presses("📷 Wyślij zdjęcie");
    expect((await ann.hears("spinacza")).text).toBeTruthy();
    await ann.presses("Pomoc");
    await ann.sees("Oczekujące zlecenia możesz anulować");
  });

  it("offers to connect a key where nobody pays", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/start");
    expect((await ann.sees("Send me a photo")).buttons.flat()).toContain("Connect a key");
    ann.says("/start connect");
    await ann.sees("Send me the API key");
  });

  it("changes the language, and answers in it", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/language");
    await ann.presses("Deutsch");
    await ann.sees("Gespeichert.");
    ann.says("/cancel");
    await ann.sees("Hier wird gerade nichts vorbereitet.");
    ann.says("/language en");
    expect((await ann.sees("Saved.")).text).toBe("Saved.");
  });
});

describe("a link that anybody may have posted", () => {
  it.each([
    ["withdraw", "Take back what you confirmed", "Withdraw confirmations", "Withdrawn from now on"],
    ["export", "Everything that is kept about you", "Export", "This is what Reelay keeps"],
  ])("to /%s asks before anything is done", async (start, asked, label, done) => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.says(`/start ${start}`);
    const offer = await ann.sees(asked);
    expect(offer.buttons.flat()).toEqual([label]);
    ann.says("/balance");
    await ann.sees("tokens", { fresh: true });
    const isDone = ({ text, from }: { text: string; from: string }) => from === "bot" && text.includes(done);
    expect(ann.chat().filter(isDone)).toEqual([]);
    await ann.presses(label, { on: offer });
    await ann.sees(done, { fresh: true });
  });

  it.each(["start", "cancel", "disconnect", "video", "language"])("to /%s greets", async (start) => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.says(`/start ${start}`);
    expect((await ann.sees(() => true)).text).toContain("Send me a photo and a line of text");
  });
});

describe("/help", () => {
  it("names every command that the short menu leaves out; in a group those that are answered there", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/help");
    const { text } = await ann.sees("You can also type:");
    expect(text).toContain("📷 Send a photo");
    const named = text.match(/^\/\w+/gm) ?? [];
    expect(named).toEqual(expect.arrayContaining(["/video", "/jobs", "/export", "/forget", "/cancel"]));
    expect(named).not.toContain("/studio");
    const here = ann.in(on.telegram.group({ title: "Friends" }));
    here.says("/help");
    const inGroup = await here.sees("You can also type:");
    expect(inGroup.text).toContain("/video – ");
    expect(inGroup.text).not.toContain("/forget – ");
  });
});

describe("a key", () => {
  it("is taken out of sight at once, checked, kept, and never shown", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/balance");
    await ann.sees("No key is connected yet.");
    ann.says("/connect");
    await ann.sees("Send me the API key");
    const secret = ann.says(on.sandbox.keys.pro);
    await ann.losesSightOf(secret);
    await ann.sees("Your key works");
    // Nobody asks for it any more.
    expect(ann.chat().filter(({ text }) => text.startsWith("Send me the API key"))).toEqual([]);
    const [first] = on.telegram.calls("deleteMessage");
    expect(first?.params).toMatchObject({ message_id: secret.id });
    ann.says("/balance");
    await ann.sees("You pay with your own key.");
    expect(JSON.stringify(ann.chat())).not.toContain(on.sandbox.keys.pro);
    expect(JSON.stringify(on.telegram.calls())).not.toContain(on.sandbox.keys.pro);
  });

  it("is asked for in one message: the one before goes, also where somebody thinks better of it", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    const asking = () => ann.chat().filter(({ text }) => text.startsWith("Send me the API key"));
    ann.says("/connect");
    const first = await ann.sees("Send me the API key");
    ann.says("no key at all");
    await ann.sees("Send me the API key", { fresh: true });
    await ann.losesSightOf(first);
    expect(asking()).toHaveLength(1);
    ann.says("/cancel");
    await ann.sees("All right, never mind.");
    expect(asking()).toEqual([]);
  });

  it("may stand behind the command, or come without being asked for", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    await ann.losesSightOf(ann.says(`/connect ${on.sandbox.keys.pro}`));
    await ann.sees("Your key works");
    ann.says("/disconnect");
    await ann.sees("Your stored key is erased.");
    await ann.losesSightOf(ann.says(on.sandbox.keys.pro));
    expect((await ann.sees("Your key works", { fresh: true })).replyTo).toBeUndefined();
  });

  it("that cannot be deleted is to be deleted by its owner", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says(`/connect ${on.sandbox.keys.pro}`);
    on.telegram.passTime(49 * 3_600_000);
    await ann.sees("Please delete it yourself");
    expect((await ann.sees("Your key works")).text).toContain("Account: pro");
  });

  it("is asked for again after what is none, and no more after anything else", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/connect");
    await ann.sees("Send me the API key");
    await ann.losesSightOf(ann.says("where do I find it?"));
    await ann.sees("That was not a key: a key is one long word.");
    ann.says("/cancel");
    await ann.sees("All right, never mind.");
    const words = ann.says("a castle at dusk");
    await ann.sees("as its caption");
    expect(ann.chat().map(({ id }) => id)).toContain(words.id);
  });

  it("is not taken in a group", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    const closed = on.telegram.group({ title: "Friends" });
    ann.in(closed).says(`/connect ${on.sandbox.keys.pro}`);
    await ann.in(closed).sees("make a new key");
    const led = on.telegram.group({ title: "Led", admin: true });
    const secret = ann.in(led).says(`/connect ${on.sandbox.keys.pro}`);
    await ann.in(led).losesSightOf(secret);
    await ann.in(led).sees("I deleted your message");
    await ann.in(led).presses("Open the private chat");
    await ann.sees("Send me the API key");
    expect(JSON.stringify(on.telegram.calls())).not.toContain(on.sandbox.keys.pro);
  });
});

describe("commands", () => {
  it("of the core are known by Telegram's names", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/deleteall");
    await ann.sees("There is nothing to delete.");
    ann.says("/delete_all");
    await ann.sees("There is nothing to delete.", { fresh: true });
    ann.says("/stats");
    expect((await ann.sees("Your account's jobs")).text).toMatch(/Total: \d+/);
  });

  it("that are not known lead to the nearest one", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/balanse");
    await ann.sees("Did you mean /balance?");
    await ann.presses("/balance");
    await ann.sees("This is the sandbox");
    // Of four letters, three are not a slip.
    ann.says("/undo");
    expect((await ann.sees("I don't know /undo.")).buttons.flat()).toEqual(["Help"]);
    ann.says("/weather_tomorrow");
    expect((await ann.sees("I don't know /weather_tomorrow.")).buttons.flat()).toEqual(["Help"]);
  });

  it("that take everything away are confirmed twice", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/forget");
    await ann.presses("Erase it here");
    await ann.presses("No, keep everything");
    expect(ann.chat().some(({ text }) => text.includes("keeps nothing"))).toBe(false);
    ann.says("/forget");
    await ann.presses("Erase it here");
    await ann.presses("Yes, delete for good");
    await ann.sees("Reelay keeps nothing about you any more.");
  });
});
