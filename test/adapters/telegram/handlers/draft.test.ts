import { describe, expect, it } from "vitest";
import { testPicture } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import type { Person } from "../../../support/telegram/person.ts";
import { isResult } from "../draft-harness.ts";
import { harness } from "../words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** Sends a photo and chooses what is made of it. */
async function begins(person: Person, operation: string | RegExp): Promise<void> {
  await person.sendsPhoto(photo);
  await person.presses(operation);
}

describe("a draft", () => {
  it("is one message for all its choices", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    const { id } = await ann.sees("Write what should happen.");
    await ann.presses("Length in seconds: 6");
    await ann.sees("Choose, or write a number.");
    await ann.presses("8");
    await ann.sees("Length in seconds: 8");
    await ann.presses("Shape");
    await ann.presses("Square");
    await ann.sees("Shape: Square");
    await ann.presses("More options");
    await ann.presses("⬜ Upscale when done");
    await ann.sees("Upscale when done: on");
    await ann.presses(/Model/);
    await ann.presses("New");
    await ann.presses(/Last frame/);
    await ann.sees("Send the photo to end on.");
    await ann.sendsPhoto(photo);
    const pair = await ann.sees("Last frame: the second picture you sent");
    expect(pair.text).toContain("Photo: the first picture you sent");
    await ann.presses(/Seed/);
    ann.says("42");
    await ann.sees("Seed: 42");
    await ann.presses("‹ Back");
    ann.says("slow zoom");
    const ready = await ann.sees("“slow zoom”");
    expect(ready.id).toBe(id);
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("takes numbers as people write them, and says which it does not take", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Video with sound");
    await ann.presses("More options");
    await ann.presses(/Width/);
    ann.says("wide");
    await ann.sees("“Width in pixels” is not valid. Expected: a whole number from 64 to 1240.");
    ann.says("2000");
    await ann.sees("“Width in pixels” must be from 64 to 1240.");
    ann.says("642");
    await ann.sees("“Width in pixels” is not valid. Expected: 640.");
    ann.says("640");
    await ann.sees("Width in pixels: 640");
    await ann.presses("Width in pixels: 640");
    await ann.presses("648");
    await ann.presses("Leave it out");
    const without = await ann.sees(({ buttons }) => buttons.flat().includes("Width in pixels"));
    expect(without.text).not.toContain("648");
  });

  it("finds its template by category, page or words, and lets a template stand for words", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Longer video from a photo");
    await ann.presses("🎨 Template");
    await ann.sees("Choose one, or write what you are looking for.");
    await ann.presses(/^All \(\d+\)$/);
    await ann.presses("›");
    await ann.presses("‹");
    await ann.presses("‹ Back");
    ann.says("qwertyuiop");
    await ann.sees("Nothing found.");
    ann.says("slow portrait");
    await ann.presses(/Slow portrait/);
    await ann.presses("Cool");
    const chosen = await ann.sees("Template: Slow portrait");
    expect(chosen.text).toContain("Variant: Cool");
    await ann.presses(/Template: Slow portrait/);
    ann.says("turning head");
    await ann.presses(/Turning head/);
    await ann.sees(({ text }) => text.includes("Template: Turning head") && !text.includes("Cool"));
  });

  it("needs no words beside a template", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    await ann.sees("Or choose: Template.");
    await ann.presses("🎨 Template");
    ann.says("golden hour");
    await ann.presses(/Golden hour/);
    await ann.sees(({ buttons }) => buttons.flat().includes("Clear air"));
    await ann.presses("‹ Back");
    const ready = await ann.sees("Template: Golden hour");
    expect(ready.buttons[0]).toEqual([expect.stringContaining("Generate")]);
  });

  it("goes back to the offers with what was written", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("slow zoom");
    await ann.sees("“slow zoom”");
    await ann.presses("‹ Back");
    await ann.presses("Video with sound");
    const draft = await ann.sees("“slow zoom”");
    expect(draft.text).toContain("Video with sound");
  });

  it("stays usable when the core refuses it", async () => {
    await using on = await harness({ settings: { REELAY_BLOCKED_WORDS: "dragon" } });
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("a dragon");
    const refused = await ann.sees("This contains words that are not allowed here.");
    // There is nothing to press that would say the same again.
    expect(refused.buttons.flat().some((label) => label.includes("Generate"))).toBe(false);
    ann.says("a kitten");
    await ann.sees("“a kitten”");
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["a kitten"]);
  });

  it("makes one job of two presses", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("slow zoom");
    const ready = await ann.sees("“slow zoom”");
    await ann.presses(/Generate/, { on: ready });
    await ann.presses(/Generate/, { on: ready });
    expect((await ann.hears("This has already started")).alert).toBe(false);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("is opened with the words that answer a film, by what the film's own buttons do", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("slow zoom");
    await ann.presses(/Generate/, { on: await ann.sees("“slow zoom”") });
    const result = await ann.sees(isResult);
    for (const [label, words] of [
      [/^Continue/, "make it faster"],
      ["Change", "make it slower"],
    ] as const) {
      ann.replies(result, words);
      const offer = await ann.sees("What shall I do with it and your words?", { fresh: true });
      expect(offer.buttons.flat()).toHaveLength(2);
      await ann.presses(label, { on: offer });
      await ann.sees(({ text, buttons }) => text.includes(`“${words}”`) && /Generate/.test(buttons.join()));
    }
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is opened so in a group for whoever answered the film alone", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends" });
    const ann = (await on.regular({ name: "Ann" })).in(group);
    const ben = (await on.regular({ name: "Ben" })).in(group);
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await ann.presses(/Generate/, { on: await ann.sees("“slow zoom”") });
    ann.replies(await ann.sees(isResult), "@reelay_bot make it slower");
    const offer = await ann.sees("What shall I do with it and your words?");
    await ben.presses("Change", { on: offer });
    await ben.hears("else");
    await ann.presses("Change", { on: offer });
    await ann.sees(({ text, buttons }) => text.includes("make it slower") && /Generate/.test(buttons.join()));
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is not opened in a group by what people say to each other about a film or a picture", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends", admin: true });
    const ann = (await on.regular({ name: "Ann" })).in(group);
    const ben = (await on.regular({ name: "Ben" })).in(group);
    await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await ann.presses(/Generate/, { on: await ann.sees("“slow zoom”") });
    const film = await ann.sees(isResult);
    ann.says("/image@reelay_bot a castle");
    await ann.presses(/Generate/, { on: await ann.sees("“a castle”") });
    const castle = await ann.sees((one) => isResult(one) && one.id !== film.id);
    const toPeople = [film, castle].flatMap((replyTo) => [
      ben.says("haha", { replyTo }),
      ben.sendsSticker(photo, "still", { replyTo }),
      ann.sendsSticker(photo, "still", { replyTo }),
      ann.sendsSticker(photo, "drawn", { replyTo }),
    ]);
    // Said to the bot by its name, it is for the bot; and so are words of whoever asked for it.
    ben.replies(castle, "@reelay_bot with snow");
    await ben.sees("“with snow”");
    ann.replies(film, "make it slower");
    await ann.sees("What shall I do with it and your words?");
    const answered = new Set(ann.chat().map(({ from, replyTo }) => from === "bot" && replyTo));
    expect(toPeople.filter(({ id }) => answered.has(id))).toEqual([]);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("makes one more film of two presses on New variation", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("slow zoom");
    await ann.presses(/Generate/, { on: await ann.sees("“slow zoom”") });
    const result = await ann.sees(isResult);
    await Promise.all([1, 2].map(() => ann.presses(/^New variation · \d/, { on: result })));
    await ann.sees("This has already started");
    expect(await submitted(on, 2)).toEqual(["slow zoom", "slow zoom"]);
  });

  it("is cancelled by its button or by command, and its buttons are stale then", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    const draft = await ann.sees("Write what should happen.");
    ann.says("/cancel");
    const cancelled = await ann.sees("Cancelled. Nothing was charged.");
    expect(cancelled).toMatchObject({ id: draft.id, buttons: [] });
    await ann.presses("Shape", { on: draft });
    await ann.hears("Cancelled. Nothing was charged.");
  });

  it("is cancelled with all others that are open in the chat; one that is answered, alone", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    const drafts = [];
    for (const caption of ["one", "two", "three", "four"]) {
      await ann.sendsPhoto(photo, { caption });
      drafts.push(await ann.sees(`“${caption}”`));
    }
    const [one, ...others] = drafts;
    if (!one) throw new Error("Nothing was shown.");
    ann.replies(one, "/cancel");
    expect(await ann.sees("Cancelled. Nothing was charged.")).toMatchObject({ id: one.id });
    const here = ann.in(on.telegram.group({ title: "Friends" }));
    await here.sendsPhoto(photo, { caption: "@reelay_bot five" });
    const elsewhere = await here.sees("“five”");
    ann.says("/cancel");
    await ann.sees("Everything that was being prepared here is cancelled (3). Nothing was charged.");
    for (const draft of others) {
      await on.telegram.until(() =>
        ann.chat().some(({ id, text }) => id === draft.id && text.startsWith("Cancelled.")),
      );
      await ann.presses(/Generate/, { on: draft });
      await ann.hears("Cancelled. Nothing was charged.");
    }
    ann.says("/cancel");
    await ann.sees("Nothing is being prepared here.");
    await here.presses(/Generate/, { on: elsewhere });
    expect(await submitted(on, 1)).toEqual(["five"]);
  });

  it("survives a restart", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    await ann.presses("Length in seconds: 6");
    await ann.sees("Choose, or write a number.");
    await on.restart();
    await ann.presses("8");
    await ann.sees("Length in seconds: 8");
    ann.says("slow zoom");
    expect((await ann.sees("“slow zoom”")).text).toContain("Length in seconds: 8");
  });

  it("is erased with everything else that is kept about a person", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    const draft = await ann.sees("Write what should happen.");
    ann.says("/forget");
    await ann.presses("Erase it here");
    await ann.presses("Yes, delete for good");
    await ann.sees(({ text }) => /erased|forgotten|nothing/i.test(text));
    await ann.presses("Shape", { on: draft });
    expect((await ann.hears("This button is too old")).alert).toBe(true);
  });

  it("is shown anew when its message was deleted", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const sent = await ann.sendsPhoto(photo);
    await ann.presses("Photo to video");
    const draft = await ann.sees("Write what should happen.");
    ann.deletes(draft);
    ann.says("slow zoom");
    const anew = await ann.sees("“slow zoom”");
    expect(anew).toMatchObject({ replyTo: sent.id });
    expect(anew.id).not.toBe(draft.id);
  });

  it("is not touched by answers to something else", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await begins(ann, "Photo to video");
    await ann.sees("Write what should happen.");
    ann.says("/connect");
    await ann.sees("Send me the API key");
    ann.says("not a key at all");
    await ann.sees("That was not a key");
    expect(ann.chat().filter(({ text }) => text.includes("“not a key at all”"))).toEqual([]);
  });
});

describe("face swap", () => {
  it("asks for its two pictures by name, and lets them change places", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.says("/faceswap");
    await ann.sees("Send the picture that gets the face.");
    await ann.sendsPhoto(photo);
    await ann.sees("Now send the picture of the face.");
    await ann.sendsPhoto(photo);
    await ann.presses("⇄ Swap the two pictures");
    await ann.presses("✨ They all agreed: swap the faces");
    expect(await submitted(on, 1)).toEqual([null]);
  });

  it("says which of two pictures is which, and what they are once they changed places", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.says("/faceswap");
    await ann.sendsAlbum([photo, photo]);
    const draft = await ann.sees("Picture that gets the face: the first picture you sent");
    expect(draft.text).toContain("Picture of the face: the second picture you sent");
    await ann.presses("⇄ Swap the two pictures");
    const swapped = await ann.sees("Picture that gets the face: the second picture you sent");
    expect(swapped.text).toContain("Picture of the face: the first picture you sent");
    expect(swapped.id).toBe(draft.id);
    await ann.presses("⇄ Swap the two pictures");
    await ann.sees("Picture that gets the face: the first picture you sent");
  });

  it("asks each time whether everybody agreed, and takes only a press that says so for that", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    // Once it is known what it costs, all of that has no room on the button.
    for (const [count, button] of [
      [1, "✨ They all agreed: swap the faces"],
      [2, /^✨ Yes, generate · about .* tokens$/],
    ] as const) {
      ann.says("/faceswap");
      await ann.sendsAlbum([photo, photo]);
      await ann.sees("Did everybody in these two pictures agree to exactly this?", { fresh: true });
      await ann.presses(button);
      expect(await submitted(on, count)).toHaveLength(count);
    }
    ann.says("/faceswap");
    await ann.sendsAlbum([photo, photo]);
    const draft = await ann.sees("Did everybody", { fresh: true });
    // As an older version had it: its button said nothing of that.
    const keyboard = [[{ text: "✨ Generate", callback_data: "~d:submit" }]];
    await ann.presses("✨ Generate", { on: { ...draft, keyboard } });
    await ann.presses("They all agreed: swap the faces");
    expect(await submitted(on, 3)).toHaveLength(3);
  });
});

describe("a form", () => {
  it("of a finished job is a draft with everything filled in", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await begins(ann, "Photo to video");
    ann.says("slow zoom");
    await ann.presses(/Generate/);
    await ann.sees(isResult);
    await ann.presses("Change");
    await ann.sees(({ text, buttons }) => text.includes("“slow zoom”") && buttons.length > 0);
    ann.says("fast zoom");
    await ann.presses(/Generate/);
    expect(await submitted(on, 2)).toEqual(["slow zoom", "fast zoom"]);
  });
});
