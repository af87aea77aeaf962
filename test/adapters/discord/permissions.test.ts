import { describe, expect, it } from "vitest";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

const lacking = "I lack the permission “Attach Files” in this channel";

describe("a channel where the bot may not attach files", () => {
  it("is named before the price, and the draft goes on once that was changed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    channel.denies("AttachFiles");
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const refused = await ann.sees(lacking);
    expect(refused.ephemeral).toBe(true);
    expect(refused.buttons.flat()).toContain("Try again");
    expect(refused.buttons.flat().join()).not.toContain("Make it");
    expect(refused.text).toContain("“waves”");
    channel.allows("AttachFiles");
    await ann.presses("Try again", { on: refused });
    await ann.presses(/^Make it/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("is named also when that was taken away after the price was said", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.sees("costs about");
    channel.denies("AttachFiles");
    await ann.presses(/^Make it/);
    await ann.sees(lacking);
    expect(await submitted(on, 0)).toEqual([]);
  });

  it("stands in the way of nothing that one person alone sees", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    channel.denies("AttachFiles");
    await ann.uses("/make video", { image: cat, prompt: "waves", private: true }, { in: channel });
    expect((await ann.sees("costs about")).text).toContain("“waves”");
  });
});
