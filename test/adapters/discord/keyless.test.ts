import { InteractionResponseType } from "discord.js";
import { describe, expect, it } from "vitest";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

describe("what somebody without a key wants to make", () => {
  it("goes on in its message once a key is connected there, also after a wrong one and a restart", async () => {
    await using at = await makingHarness({ paid: false, newcomers: true });
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const draft = await ann.sees("No key is connected yet.");
    expect(draft.buttons.flat()).toContain("Connect a key");
    await on.restart();
    const opened = await ann.presses("Connect a key");
    expect(opened.kind).toBe(InteractionResponseType.Modal);
    await ann.submitsModal({ "API key": "rk_not_a_key_at_all" });
    expect((await ann.sees("does not know this key")).id).toBe(draft.id);
    await ann.presses("Connect a key");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    const offer = await ann.sees("“waves”");
    expect(offer.id).toBe(draft.id);
    await ann.presses(/^Yes, generate/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
    expect(JSON.stringify(on.discord.calls())).not.toContain(on.sandbox.keys.pro);
  });

  it("goes on where a key was connected elsewhere", async () => {
    await using at = await makingHarness({ paid: false, newcomers: true });
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const draft = await ann.sees("No key is connected yet.");
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("Your key works");
    await ann.presses("Try again", { on: draft });
    expect((await ann.sees("“waves”")).id).toBe(draft.id);
  });
});

describe("what cannot be made", () => {
  it("offers to change it, and no button that would say the same again", async () => {
    await using at = await makingHarness({ settings: { REELAY_BLOCKED_WORDS: "dragon" } });
    const { ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "a dragon" }, { in: channel });
    const refused = await ann.sees("This contains words that are not allowed here.");
    expect(refused.buttons.flat()).not.toContain("Try again");
    await ann.presses(/^What should happen/);
    await ann.submitsModal({ "What should happen": "a kitten" });
    expect((await ann.sees("“a kitten”")).id).toBe(refused.id);
  });
});
