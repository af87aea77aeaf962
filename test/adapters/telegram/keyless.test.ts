import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import { MemorySurface } from "../../support/surface.ts";
import { submitted } from "../../support/submitted.ts";
import type { SeenMessage } from "../../support/telegram/seen.ts";
import { isResult } from "./draft-harness.ts";
import { PAYING } from "../../transcripts/actor.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** Whether a message can begin with one press, which states what a newcomer must state. */
const isReady = ({ buttons }: SeenMessage) => buttons.flat().some((label) => label.includes("Yes, generate"));

describe("a draft without a key", () => {
  it("goes on in its message once a key is connected, also after a wrong one and a restart", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("No key is connected yet.");
    expect(draft.buttons[0]).toEqual(["Connect a key"]);
    await on.restart();
    await ann.presses("Connect a key", { on: draft });
    expect(await ann.sees("Send me the API key")).toMatchObject({ id: draft.id, buttons: [["‹ Back"]] });
    await ann.losesSightOf(ann.says("rk_not_a_key_at_all_but_long_enough"));
    expect((await ann.sees("does not know this key")).id).toBe(draft.id);
    await ann.presses("Connect a key", { on: draft });
    await ann.sees("Send me the API key", { fresh: true });
    await ann.losesSightOf(ann.says(on.sandbox.keys.pro));
    const ready = await ann.sees(isReady);
    expect(ready).toMatchObject({ id: draft.id });
    expect(ready.text).toContain("Your key works");
    expect(ready.text).toContain("“slow zoom”");
    // Whatever was asked and answered stood in the draft.
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
    await ann.presses(/Yes, generate/, { on: ready });
    await ann.sees(isResult);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("asks for no key any more where words were sent, or where they changed their mind", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("No key is connected yet.");
    for (const answer of ["never mind that", "/cancel"]) {
      await ann.presses("Connect a key", { on: draft });
      await ann.sees("Send me the API key", { fresh: true });
      ann.says(answer);
      await expect
        .poll(() => ann.chat().find(({ id }) => id === draft.id)?.buttons[0])
        .toEqual(["Connect a key"]);
    }
    await ann.presses("Connect a key", { on: draft });
    await ann.presses("‹ Back", { on: draft });
    ann.says("leaves moving");
    expect((await ann.sees("“leaves moving”")).id).toBe(draft.id);
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("goes on in its message when a key is connected on its owner's page", async () => {
    const page = new MemorySurface("web");
    await using on = await harness({ paid: false, others: [page] });
    const [ann, ben] = [on.telegram.person({ name: "Ann" }), on.telegram.person({ name: "Ben" })];
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("No key is connected yet.");
    await ben.sendsPhoto(photo, { caption: "slow zoom" });
    await ben.sees("No key is connected yet.");
    const visitor = {
      user: `telegram:${ann.user.id}`,
      platform: "web",
      audience: "private",
      locale: "en",
      address: {},
    } as const;
    expect(await page.intake.command(visitor, "connect", { key: on.sandbox.keys.pro })).toBe(true);
    const ready = await ann.sees(isReady);
    expect(ready.id).toBe(draft.id);
    expect(ready.text).toContain("“slow zoom”");
    expect(page.showing("notice")[0]).toMatchObject({ text: { key: "connect.done" } });
    // What is said of the key is said on the page.
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
    expect(ben.chat().filter(isReady)).toEqual([]);
  });

  it("goes on in a group, too, when its key is connected in private", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    const here = ann.in(on.telegram.group({ title: "Sea" }));
    await here.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    const draft = await here.sees("No key is connected yet.");
    ann.says(`/connect ${on.sandbox.keys.pro}`);
    await ann.sees("Your key works");
    expect((await here.sees(isReady)).id).toBe(draft.id);
  });
});

describe("a draft that the core does not take", () => {
  it("offers in a group only what leads on, where its limit is reached", async () => {
    await using on = await harness({ source: "operator", settings: { ...PAYING, REELAY_DAILY_CAP: "0" } });
    const ann = await on.regular({ name: "Ann" });
    const here = ann.in(on.telegram.group({ title: "Sea" }));
    await here.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    const { buttons } = await here.sees("The key that pays here may not be used by you.");
    expect(buttons).toEqual([["Connect a key"], ["Check again"], ["Cancel"]]);
  });

  it("says why in its own message, and goes on from there", async () => {
    await using on = await harness({ paid: false });
    const ann = await on.regular({ name: "Ann" });
    ann.says(`/connect ${on.sandbox.keys.pro}`);
    await ann.sees("Your key works");
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("“slow zoom”");
    ann.says("/disconnect");
    await ann.sees("Your stored key is erased.");
    await ann.presses(/Generate/, { on: draft });
    const refused = await ann.sees("No key is connected yet.");
    expect(refused.id).toBe(draft.id);
    expect(refused.buttons[0]).toEqual(["Connect a key"]);
  });
});
