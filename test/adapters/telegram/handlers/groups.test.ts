import { describe, expect, it } from "vitest";
import { picture } from "../../../support/telegram/bare-bot.ts";
import type { SeenMessage } from "../../../support/telegram/seen.ts";
import { harness } from "../words-harness.ts";

const ofBot = ({ from }: SeenMessage) => from === "bot";

describe("in a group", () => {
  it("the bot greets once, and never when it leaves", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends" });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    await ann.sees("Reply to a photo with /video");
    group.kicksBot();
    group.addsBot();
    ann.says("/help");
    await ann.sees("pick a template");
    expect(ann.chat().filter(ofBot)).toHaveLength(2);
  });

  it("what is not meant for the bot is left alone", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    await ann.sees("Reply to a photo");
    ann.says("a castle at dusk");
    ann.says("/weather");
    ann.says("/help@other_bot");
    ann.says("@other_bot a castle");
    await ann.sendsPhoto(await picture(64, 64));
    ann.says("/help@Reelay_Bot");
    await ann.sees("pick a template");
    expect(ann.chat().filter(ofBot)).toHaveLength(2);
  });

  it("mentions and replies are answered, in their topic", async () => {
    await using on = await harness();
    const forum = on.telegram.group({ title: "Forum", forum: true, admin: true });
    const topic = forum.opensTopic("Films");
    const ann = on.telegram.person({ name: "Ann" }).in(forum, topic);
    ann.says("nothing for the bot");
    ann.says("@reelay_bot a castle at dusk");
    const offer = await ann.sees("as its caption");
    expect(offer.topic).toBe(topic.id);
    ann.replies(offer, "or a tower");
    await ann.sees("as its caption", { fresh: true });
    expect(ann.chat().filter(ofBot)).toHaveLength(2);
  });

  it("what is between a person and the bot goes on in private", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends" });
    const ann = on.telegram.person({ name: "Ann" });
    ann.in(group).says("/balance");
    await ann.in(group).presses("Open the private chat");
    await ann.sees("This is the sandbox");
    ann.in(group).says("/disconnect");
    await ann.in(group).sees("No key of yours is stored.");
    ann.says("/start disconnect");
    expect((await ann.sees("Send me a photo", { fresh: true })).buttons.flat()).toContain("Help");
  });

  it("all pictures of an album with a mention are let through", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    const photo = await picture(64, 64);
    await ann.sendsAlbum([photo, photo], { caption: "@reelay_bot blend them" });
    expect((await ann.sees("“blend them”")).text).toContain("2 pictures");
  });
});

describe("a command of an operation", () => {
  it("takes the words behind it and the photo it answers", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const photo = await ann.sendsPhoto(await picture(64, 64));
    ann.replies(photo, "/video slow zoom");
    expect(await ann.sees(/^Photo to video\n.*Photo: ✓\n.*“slow zoom”/s)).toMatchObject({
      replyTo: photo.id,
    });
    ann.says("/videoaudio rain");
    await ann.sees(/^Video with sound\n.*“rain”/s);
    const edited = await ann.sendsPhoto(await picture(64, 64), { caption: "/image_edit make it winter" });
    const draft = await ann.sees(/^Edit pictures\n.*“make it winter”/s);
    expect(draft).toMatchObject({ replyTo: edited.id });
    ann.says("/cancel");
    expect((await ann.sees(({ id }) => id === draft.id, { fresh: true })).buttons).toEqual([]);
  });
});

describe("what nobody has a use for", () => {
  it("words: what can be made of them alone", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("a castle at dusk");
    const offer = await ann.sees("as its caption");
    expect(offer.buttons.flat()).toEqual([
      "Video with sound",
      "Longer video from words",
      "Picture from words",
      "✨ Templates",
      "Help",
    ]);
    await ann.presses("Picture from words");
    await ann.sees(/^Picture from words\n.*“a castle at dusk”/s);
  });

  it("anything else: a photo is asked for", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsDocument(Buffer.from("%PDF"), { fileName: "a.pdf", mimeType: "application/pdf" });
    expect((await ann.sees("I can't make anything from this.")).buttons.flat()).toContain("✨ Templates");
  });

  it.each([
    { location: { latitude: 1, longitude: 2 } },
    { contact: { phone_number: "+1", first_name: "Ben" } },
    { poll: { id: "1", question: "Which?", options: [] } },
    { dice: { emoji: "🎲", value: 3 } },
    { story: { chat: { id: 5, type: "private", first_name: "Ben" }, id: 7 } },
    { paid_media: { star_count: 5, paid_media: [] } },
    { checklist: { title: "Groceries", tasks: [] } },
  ])("nor what is no file of theirs: %j", async (what) => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsOther(what);
    const told = await ann.sees("I can't make anything from this.");
    expect(told.buttons.flat()).toContain("✨ Templates");
  });

  it("in a group a file that the bot was asked about is told of as well, and one that was only posted is not", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    await ann.sees("Reply to a photo");
    const paper = { fileName: "a.pdf", mimeType: "application/pdf" };
    ann.sendsDocument(Buffer.from("%PDF"), paper);
    ann.sendsOther({ location: { latitude: 1, longitude: 2 } });
    ann.sendsDocument(Buffer.from("%PDF"), { ...paper, caption: "@reelay_bot animate this" });
    await ann.sees("I can't make anything from this.");
    expect(ann.chat().filter(ofBot)).toHaveLength(2);
  });
});

describe("whoever writes as the group", () => {
  it("is told why nothing is made for them where they speak to the bot, and is helped", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    await ann.sees("Reply to a photo");
    ann.saysAs(group.chat, "good morning, @ben");
    ann.saysAs(group.chat, "/weather");
    ann.saysAs(group.chat, "/help@other_bot");
    const why = "You are writing as the group here";
    for (const words of ["/video slow zoom", "@reelay_bot a castle at dusk"]) {
      ann.saysAs(group.chat, words);
      expect((await ann.sees(why, { fresh: true })).buttons).toEqual([]);
    }
    ann.saysAs(group.chat, "/help");
    await ann.sees("pick a template");
    // What is written as the group is a bot's in Telegram, too: six are hers.
    expect(ann.chat().filter(ofBot)).toHaveLength(6 + 4);
  });

  it("leaves no key there, either", async () => {
    await using on = await harness({ paid: false });
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = on.telegram.person({ name: "Ann" });
    const key = on.sandbox.keys.pro;
    ann.says(`/connect ${key}`);
    await ann.sees("Your key works");
    const there = ann.in(group);
    for (const words of [`/connect ${key}`, `who left ${key} here?`]) {
      there.saysAs(group.chat, words);
      await there.sees("I deleted your message with the key", { fresh: true });
    }
    expect(there.chat().filter(({ text }) => text.includes(key))).toEqual([]);
  });
});
