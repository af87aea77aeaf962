import { describe, expect, it } from "vitest";
import { USUAL } from "../../support/whatsapp/liberties.ts";
import type { MessageBody } from "../../support/whatsapp/wire.ts";
import { harness, isFilm, photo } from "./harness.ts";

describe("more photos than something takes", () => {
  it.each(["", "they dance"])("are told to be left out, said with them: %j", async (caption) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsAlbum(
      Array.from({ length: 6 }, () => photo),
      { caption },
    );
    expect((await ann.sees(() => true)).text).toMatch(/Only the first \d fit/);
  });

  it("do not begin without asking, whatever somebody allowed", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says("/settings");
    await ann.presses(/Ask only above/);
    await ann.sees(() => true, { fresh: true });
    ann.says("1000");
    await ann.sees("Ask only above (tokens): 1000", { fresh: true });
    ann.sendsAlbum(
      Array.from({ length: 6 }, () => photo),
      { caption: "they dance" },
    );
    await ann.sees(/Only the first \d fit/, { fresh: true });
    expect((await at.sandbox.ledger()).submissions).toEqual([]);
  });
});

describe("a key that is not asked for", () => {
  it("is left out with the way to connect one", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.says(`look at this ${at.sandbox.keys.ultra} and dance`);
    const left = await ann.sees("looks like an API key");
    expect(left.buttons).toEqual(["Connect a key"]);
    await ann.presses("Connect a key", { on: left });
    await ann.sees(/page/, { fresh: true });
  });
});

const isOffer = ({ type }: MessageBody) => type === "interactive";

describe("what is told later not to have arrived", () => {
  it.each([
    [131_000, "after"],
    [131_000, "before"],
    [131_016, "after"],
    [130_429, "after"],
  ] as const)("is posted again where that may help (%i, told %s the answer)", async (code, statuses) => {
    await using at = await harness({ liberties: { ...USUAL, statuses } });
    const ann = await at.regular("Ann");
    at.whatsapp.fails("messages", { kind: "told", code }, 2, isOffer);
    const sent = ann.sendsPhoto(photo, { caption: "slow zoom" });
    expect(await ann.sees("2.7 tokens")).toMatchObject({ replyTo: sent.id });
    await ann.presses(/generate/i);
    await ann.sees(isFilm);
  });

  it.each([131_026, 131_047, 131_053] as const)(
    "is not where it may not (%i), nor for ever",
    async (code) => {
      await using at = await harness();
      const ann = await at.regular("Ann");
      at.whatsapp.fails("messages", { kind: "told", code }, 1, isOffer);
      at.whatsapp.fails("messages", { kind: "told", code: 131_000 }, 9, ({ type }) => type === "text");
      ann.sendsPhoto(photo, { caption: "slow zoom" });
      await at.whatsapp.until(() => at.whatsapp.calls("messages").some(({ body }) => isOffer(body)));
      await at.whatsapp.untilHeard();
      ann.says("/balance");
      await at.whatsapp.until(
        () => at.whatsapp.calls("messages").filter(({ body }) => body.type === "text").length === 3,
      );
      await at.whatsapp.untilHeard();
      const calls = at.whatsapp.calls("messages");
      expect(calls.filter(({ body }) => isOffer(body))).toHaveLength(1);
      expect(calls.filter(({ body }) => body.type === "text")).toHaveLength(3);
    },
  );
});

describe("a flood from one person", () => {
  it("is answered a few times for each reason, and others are answered all the same", async () => {
    await using at = await harness();
    const [ann, bob] = [await at.regular("Ann"), await at.regular("Bob")];
    for (let nth = 0; nth < 20; nth++) {
      ann.sendsLocation();
      ann.sendsUnsupported();
      ann.says(`words ${nth}`);
    }
    ann.says("/balance");
    await ann.sees("tokens");
    bob.sendsLocation();
    await bob.sees("place");
    const said = ann.chat().filter(({ from }) => from === "bot");
    expect(said.filter(({ text }) => text.includes("from a place"))).toHaveLength(3);
    expect(said.length).toBeLessThanOrEqual(3 + 3 + 4 + 1);
    // The newest words are those that a choice is about.
    await ann.presses("Picture from words");
    await ann.sees("“words 19”", { fresh: true });
  });
});
