import { InteractionResponseType } from "discord.js";
import { describe, expect, it } from "vitest";
import { MemorySurface } from "../../support/surface.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { submitted } from "../../support/submitted.ts";
import { cat, makingHarness, isResult } from "./making-harness.ts";

/** Whether a message has the button that spends. */
const isOffer = ({ buttons }: SeenMessage) =>
  buttons.flat().some((label) => label.startsWith("Yes, generate"));

/** The bot with a page beside it, on which Ann connects her key. */
async function withPage() {
  const page = new MemorySurface("web");
  const at = await makingHarness({ paid: false, newcomers: true, others: [page] });
  const visitor = {
    user: `discord:${at.ann.user.id}`,
    platform: "web",
    audience: "private",
    locale: "en",
    address: {},
  } as const;
  const connects = () => page.intake.command(visitor, "connect", { key: at.on.sandbox.keys.pro });
  return { ...at, connects, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

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

  it("goes on in every message that waits, wherever in Discord a key is connected", async () => {
    await using at = await makingHarness({ paid: false, newcomers: true });
    const { on, ann, channel } = at;
    const waiting = async (prompt: string) => {
      await ann.uses("/make video", { image: cat, prompt }, { in: channel });
      return ann.sees("No key is connected yet.", { fresh: true });
    };
    const [first, second] = [await waiting("waves"), await waiting("wind")];
    await ann.presses("Connect a key", { on: second });
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    for (const { id } of [first, second]) await ann.sees((message) => message.id === id && isOffer(message));
    expect(await submitted(on, 0)).toEqual([]);
    await ann.uses("/disconnect");
    await ann.sees("erased", { fresh: true });
    const third = await waiting("hills");
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("Your key works");
    await ann.sees((message) => message.id === third.id && isOffer(message));
  });

  it("goes on where a key was connected elsewhere", async () => {
    await using at = await makingHarness({ paid: false, newcomers: true });
    const { on, ann, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const draft = await ann.sees("No key is connected yet.");
    await ann.uses("/connect");
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("Your key works");
    expect((await ann.sees("“waves”")).id).toBe(draft.id);
  });
});

describe("a key that is connected on its owner's page", () => {
  it("lets what waits for it go on in its message, and begins nothing without a press", async () => {
    await using at = await withPage();
    const { on, ann, bob, channel } = at;
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const draft = await ann.sees("No key is connected yet.");
    await bob.uses("/make video", { image: cat, prompt: "wind" }, { in: channel });
    const others = await bob.sees("No key is connected yet.");
    await at.connects();
    const offer = await ann.sees(isOffer);
    expect(offer.id).toBe(draft.id);
    expect(offer.text).toContain("“waves”");
    expect(bob.chat({ in: channel }).at(-1)).toMatchObject({ id: others.id, text: others.text });
    expect(await submitted(on, 0)).toEqual([]);
    await ann.presses(/^Yes, generate/);
    await ann.sees(isResult, { in: channel });
    expect(await submitted(on, 1)).toEqual(["waves"]);
  });

  it("does the same for what was asked by a message, which the bot answered with one of its own", async () => {
    await using at = await withPage();
    const { ann } = at;
    await ann.says("waves", { files: [cat] });
    const draft = await ann.sees("No key is connected yet.");
    await at.connects();
    expect((await ann.sees(isOffer)).id).toBe(draft.id);
  });

  it("says nothing of what they have where others read along", async () => {
    await using at = await withPage();
    const { on, ann, bob, channel } = at;
    await ann.says(`<@${on.discord.applicationId}> waves`, { in: channel, files: [cat] });
    const draft = await bob.sees("No key is connected yet.", { in: channel });
    await at.connects();
    const offer = await bob.sees(isOffer, { in: channel });
    expect(offer.id).toBe(draft.id);
    expect(offer.text).not.toContain("Balance");
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
