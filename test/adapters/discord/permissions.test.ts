import { describe, expect, it } from "vitest";
import { submitted } from "../../support/submitted.ts";
import { cat, isResult, makeFirst, makingHarness } from "./making-harness.ts";

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

  it("is named before a result's button makes another, which goes on once that was changed", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await makeFirst(ann, channel);
    channel.denies("AttachFiles");
    await ann.presses(/^New variation/, { in: channel });
    const refused = await ann.sees(lacking);
    expect(refused.ephemeral).toBe(true);
    expect(refused.buttons.flat()).toEqual([expect.stringMatching(/^New variation · \d/)]);
    expect(await submitted(on, 1)).toEqual(["first"]);
    channel.allows("AttachFiles");
    await ann.presses(/^New variation/, { on: refused });
    expect(await submitted(on, 2)).toEqual(["first", "first"]);
  });

  it("is named when a statement is pressed that was waited for, and that press goes on afterwards", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    await ann.uses("/make faceswap", { face: cat, target: cat }, { in: channel });
    await ann.presses(/^They all agreed/);
    await ann.sees(isResult, { in: channel });
    await ann.presses(/^Again/, { in: channel });
    const asked = await ann.sees("Did everybody in these two pictures agree", { fresh: true });
    channel.denies("AttachFiles");
    await ann.presses("They all agreed: swap the faces", { on: asked });
    await ann.sees(lacking);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
    channel.allows("AttachFiles");
    await ann.presses("They all agreed: swap the faces");
    await expect.poll(async () => (await on.sandbox.ledger()).submissions.length).toBe(2);
  });

  it("stands in the way of nothing that one person alone sees", async () => {
    await using at = await makingHarness();
    const { ann, channel } = at;
    channel.denies("AttachFiles");
    await ann.uses("/make video", { image: cat, prompt: "waves", private: true }, { in: channel });
    expect((await ann.sees("costs about")).text).toContain("“waves”");
  });
});
