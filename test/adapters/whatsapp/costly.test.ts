import { describe, expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

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
    await ann.presses(/Start without asking/);
    await ann.sees(() => true, { fresh: true });
    ann.says("1000");
    await ann.sees("Start without asking up to (tokens): 1000", { fresh: true });
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
