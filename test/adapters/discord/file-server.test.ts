import { describe, expect, it } from "vitest";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

describe("an attachment that Discord's file server does not hand out", () => {
  it("is fetched again, and nobody notices", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    on.discord.filesFail({ kind: "status", status: 500 });
    on.discord.filesFail({ kind: "cut" });
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    await ann.presses(/^Make it/, { on: await ann.sees("Photo to video costs about") });
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("for long leaves the order as it is, to be tried again", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    on.discord.filesFail({ kind: "reset" }, 1_000);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const told = await ann.sees(/could not be fetched.*Nothing was charged/s);
    expect(told.buttons.flat()).toContain("Try again");
    on.discord.filesWork();
    await ann.presses("Try again", { on: told });
    const offer = await ann.sees("Photo to video costs about");
    expect(offer.text).toContain("“waves”");
    await ann.presses(/^Make it/, { on: offer });
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("by saying nothing holds up what else its person does there for seconds, not for a minute", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    on.discord.filesFail({ kind: "silence" }, 1_000);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const began = performance.now();
    await ann.uses("/balance", {}, { in: channel });
    await ann.sees("play money");
    expect(performance.now() - began).toBeLessThan(30_000);
    await ann.sees(/could not be fetched.*Nothing was charged/s);
  });

  it("for good is asked for anew, and the words stay", async () => {
    await using at = await makingHarness();
    const { on, ann, channel } = at;
    on.discord.filesFail({ kind: "status", status: 404 });
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const told = await ann.sees(/no longer there.*Add it again/s);
    expect(told.buttons.flat()).not.toContain("Try again");
    expect(await submitted(on, 0)).toEqual([]);
  });
});
