import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { picture } from "../../../support/results.ts";
import { submitted } from "../../../support/submitted.ts";
import { heldRenderer } from "../../../transcripts/held.ts";
import { isResult } from "../draft-harness.ts";
import { harness } from "../words-harness.ts";

const PING = "Tell me when it is done";

describe("a ping", () => {
  it("comes once, as an answer to the result, to whoever wanted it", async () => {
    const { render, holds } = heldRenderer();
    await using on = await harness({ render });
    const ann = await on.regular({ name: "Ann" });
    const letGo = holds();
    await ann.sendsPhoto(await readFile(picture), { caption: "slow zoom" });
    await ann.presses(/^✨/);
    await submitted(on, 1);
    const progress = await ann.sees((message) => message.buttons.flat().includes(PING));
    await ann.presses(PING);
    expect((await ann.hears("You get a message here")).alert).toBe(false);
    letGo();
    const film = await ann.sees(isResult);
    expect(await ann.sees("☝️ Here it is.")).toMatchObject({ replyTo: film.id });
    expect(film.buttons.flat()).not.toContain(PING);
    await ann.presses(PING, { on: progress });
    await ann.hears("☝️ Here it is.");
    expect(ann.chat().filter(({ text }) => text.includes("Here it is"))).toHaveLength(1);
  });

  it("mentions them in a group, and is nobody else's to want", async () => {
    const { render, holds } = heldRenderer();
    await using on = await harness({ render });
    const group = on.telegram.group({ title: "Films" });
    const [ann, bob] = await Promise.all(["Ann", "Bob"].map((name) => on.regular({ name })));
    if (!ann || !bob) throw new Error("Both are there.");
    const letGo = holds();
    await ann.in(group).sendsPhoto(await readFile(picture), { caption: "@reelay_bot slow zoom" });
    await ann.in(group).presses(/^✨/);
    await submitted(on, 1);
    await bob.in(group).presses(PING);
    await bob.hears("This belongs to somebody else");
    await ann.in(group).presses(PING);
    await ann.hears("You get a message here");
    letGo();
    const called = await ann.in(group).sees("☝️ Here it is.");
    const link = called.message.entities?.find(({ type }) => type === "text_link");
    expect(link?.url).toBe(`tg://user?id=${ann.user.id}`);
  });
});

it("what people say to each other in a group about what is being made is none of the bot's", async () => {
  const { render, holds } = heldRenderer();
  await using on = await harness({ render });
  const group = on.telegram.group({ title: "Films" });
  const ann = (await on.regular({ name: "Ann" })).in(group);
  const ben = (await on.regular({ name: "Ben" })).in(group);
  const letGo = holds();
  const photo = await readFile(picture);
  await ann.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
  await ann.presses(/^✨/);
  await submitted(on, 1);
  const replyTo = await ann.sees(({ buttons }) => buttons.flat().includes(PING));
  const toPeople = [
    ben.says("haha", { replyTo }),
    ben.sendsSticker(photo, "still", { replyTo }),
    ann.sendsSticker(photo, "still", { replyTo }),
  ];
  // Each is dealt with in the order of its person: said to the bot by its name, this is for the bot.
  for (const who of [ann, ben]) {
    const { id } = who.says("@reelay_bot a castle");
    await who.sees(({ from, replyTo: of }) => from === "bot" && of === id);
  }
  const answered = new Set(ann.chat().map(({ from, replyTo: of }) => from === "bot" && of));
  letGo();
  expect(toPeople.filter(({ id }) => answered.has(id))).toEqual([]);
});
