import { describe, expect, it } from "vitest";
import { submitted } from "../../support/submitted.ts";
import { begins, harness, isFilm, photo } from "./harness.ts";

const OFFER = "What shall I do with it and your words?";

/** Ann, with a film. */
async function withFilm() {
  const at = await harness();
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  return { ...at, at, ann, film: await ann.sees(isFilm) };
}

describe("words that answer a film", () => {
  it("go into the form that one of the film's own buttons opens, and nothing begins of them unasked", async () => {
    const { at, ann, film } = await withFilm();
    await using _ = at;
    for (const [label, words] of [
      [/^Continue/, "make it faster"],
      ["Change", "make it slower"],
    ] as const) {
      const said = ann.says(words, { replyTo: film });
      const offer = await ann.sees(OFFER, { fresh: true });
      expect(offer.replyTo).toBe(said.id);
      expect(offer.buttons).toHaveLength(2);
      await ann.presses(label, { on: offer });
      await ann.sees(({ text, buttons }) => text.includes(`“${words}”`) && /Generate/.test(buttons.join()), {
        fresh: true,
      });
    }
    expect(await submitted(at, 1)).toEqual(["slow zoom"]);
  });

  it("are not taken for those of a form that stands", async () => {
    const { at, ann, film } = await withFilm();
    await using _ = at;
    ann.sendsPhoto(photo, { caption: "a calm sea" });
    await ann.sees("“a calm sea”");
    ann.says("make it faster", { replyTo: film });
    await ann.sees(OFFER, { fresh: true });
    expect(
      ann.chat().filter(({ text, from }) => from === "bot" && text.includes("“make it faster”")),
    ).toEqual([]);
    // A command is one there, too.
    ann.says("help", { replyTo: film });
    await ann.sees("/templates", { fresh: true });
  });

  it("of which one was answered twice are the newest, and an offer of which nothing is known any more says so", async () => {
    const { at, ann, film } = await withFilm();
    await using _ = at;
    ann.says("make it faster", { replyTo: film });
    const offer = await ann.sees(OFFER, { fresh: true });
    ann.says("make it slower", { replyTo: film });
    await ann.sees(OFFER, { fresh: true });
    await ann.presses("Change", { on: offer });
    await ann.sees(({ text }) => text.includes("“make it slower”"), { fresh: true });
    ann.forges("~r:delete:everything", offer);
    await ann.sees("This button is too old", { fresh: true });
    expect(await submitted(at, 1)).toEqual(["slow zoom"]);
  });
});
