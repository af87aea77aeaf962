import { describe, expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

const OFFER = "What shall I make";

describe("words before their photo", () => {
  it("are joined to it where it follows without any: they need not be written again, and nothing begins of them unasked", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("a dog runs on the beach");
    await ann.sees("Send me a photo with these words");
    const sent = ann.sendsPhoto(photo);
    const offer = await ann.sees("2.7 tokens", { fresh: true });
    expect(offer.replyTo).toBe(sent.id);
    expect(offer.text).toContain("a dog runs on the beach");
    expect(ann.chat().filter(({ text }) => text.includes(OFFER))).toEqual([]);
    // They were for that one.
    ann.sendsPhoto(photo);
    await ann.sees(OFFER, { fresh: true });
  });

  it("give way to those that it comes with", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("a dog runs on the beach");
    await ann.sees("Send me a photo with these words");
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    const offer = await ann.sees("2.7 tokens", { fresh: true });
    expect(offer.text).toContain("slow zoom");
    expect(offer.text).not.toContain("dog");
    ann.sendsPhoto(photo);
    await ann.sees(OFFER, { fresh: true });
  });

  it("wait for no photo any more once something was made of them alone", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("a dog runs on the beach");
    await ann.presses("Picture from words");
    await ann.sees("“a dog runs on the beach”", { fresh: true });
    ann.says("/cancel");
    await ann.sees(() => true, { fresh: true });
    ann.sendsPhoto(photo);
    const offered = await ann.sees(OFFER, { fresh: true });
    expect(offered.text).not.toContain("dog");
  });
});
