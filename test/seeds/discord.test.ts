import { describe, expect, it, onTestFailed } from "vitest";
import { drawDiscord } from "../support/discord/liberties.ts";
import { submitted } from "../support/submitted.ts";
import { cat, company, isResult } from "../adapters/discord/making-stage.ts";
import { keep, seedsOfRun } from "./seeds.ts";

describe("whatever Discord's description leaves open", () => {
  it.each(seedsOfRun())("seed %i: each order is one job, and each result comes once", async (seed) => {
    onTestFailed(() => keep(seed));
    // Not mended: some seeds show a result twice (3 and 431360051 do), also without lost answers to edits.
    await using at = await company({ liberties: { ...drawDiscord(seed), lostEditEvery: 0 } });
    const { on, ann, bob, channel } = at;
    const here = { in: channel };
    const results = () => bob.chat(here).filter(isResult);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, here);
    await ann.presses(/^Make it/);
    const result = await bob.sees(isResult, here);
    await ann.presses(/^Again/, { on: result });
    await on.discord.until(() => results().length === 2);

    await ann.uses("/make video", { image: cat, prompt: "alone" });
    await ann.presses(/^Make it/);
    await ann.sees(isResult);

    await ann.presses("Delete", { on: result });
    await ann.presses("Delete for good");
    await ann.sees("Deleted, here and at the service.");
    expect(await submitted(on, 3)).toEqual(["waves", "waves", "alone"]);
    expect(ann.chat().filter(isResult)).toHaveLength(1);
    expect(results()).toHaveLength(1);
  });
});
