import { describe, expect, it } from "vitest";
import { soundFile } from "../../sandbox/clip.ts";
import { testPicture } from "../../support/sandbox.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");
const noise = soundFile("ogg", 1);

describe("a sound", () => {
  it("begins a draft that takes sounds, and asks for its pictures", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsVoice(noise, { duration: 4 });
    const draft = await ann.sees("Reference sounds: 1 sound");
    expect(draft.text).toContain("Send one or more pictures, up to 5.");
    await ann.sendsPhoto(photo);
    await ann.sees("Pictures: 1 picture");
  });

  it("takes the pictures along that a draft has", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await ann.sendsPhoto(photo);
    await ann.sees("What shall I make");
    ann.sendsVoice(noise, { duration: 4 });
    const draft = await ann.sees("Reference sounds: 1 sound");
    expect(draft.text).toContain("Pictures: 1 picture");
  });

  it("is checked by what Telegram tells of it, before anything is sent", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsVoice(noise, { duration: 11 });
    await ann.sees("This sound is too long: 11 seconds, and at most 10 are allowed.");
    ann.sendsAudio(noise, { duration: 5, mimeType: "audio/flac" });
    await ann.sees("FLAC cannot be used as a sound");
    ann.sendsAudio(Buffer.alloc(8_000_001), { duration: 5, mimeType: "audio/mpeg" });
    await ann.sees("This file is too large: at most 8 MB.");
    expect(on.telegram.calls("getFile")).toEqual([]);
    ann.sendsVoice(noise, { duration: 9 });
    await ann.sees("Reference sounds: 1 sound");
    ann.sendsAudio(noise, { duration: 7, mimeType: "audio/x-m4a" });
    const refused = await ann.sees(
      "Together, the sounds are too long: 16 seconds, and at most 15 are allowed.",
    );
    expect(refused.text).toContain("Reference sounds: 1 sound");
    ann.sendsAudio(noise, { duration: 6, mimeType: "audio/x-m4a" });
    await ann.sees("Reference sounds: 2 sounds");
  });

  it("is listened to when it comes: what is none is told at once", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.sendsVoice(Buffer.alloc(30_000, "OggS"), { duration: 4 });
    await ann.sees("This sound cannot be read.");
    // Telegram does not look into it.
    ann.sendsAudio(soundFile("ogg", 11), { duration: 4, mimeType: "audio/ogg" });
    const told = await ann.sees("This sound is too long: 11 seconds");
    expect(told.text).not.toContain("Reference sounds");
  });
});
