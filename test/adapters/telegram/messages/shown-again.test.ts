import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { pointAt } from "../../../../adapters/telegram/messages/pointer.ts";
import { post } from "../../../../adapters/telegram/messages/post.ts";
import { picture, result } from "../../../support/results.ts";
import type { SeenMessage } from "../../../support/telegram/seen.ts";
import { isResult } from "../draft-harness.ts";
import { harness, refusing, replace } from "../results-harness.ts";
import { harness as wholeBot } from "../words-harness.ts";

const running = { kind: "progress", job: result("video").job, phase: "running" } as const;

describe("a result that is shown again", () => {
  it("is sent once, and pointed at when it is delivered again", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
    expect((await at.ann.sees("Here it is")).replyTo).toBe(at.files()[0]?.id);
  });

  it("is pointed at when it is shown again that took the place of its progress", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const shown = await replace(at.services, receipt, result("video"));
    await replace(at.services, shown, result("video"));
    expect(at.files()).toHaveLength(1);
    expect((await at.ann.sees("Here it is")).replyTo).toBe(at.files()[0]?.id);
    const [film] = at.files();
    if (film) at.ann.deletes(film);
    await replace(at.services, shown, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("is sent again when the person has deleted it", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    const [first] = at.files();
    if (!first) throw new Error("Nothing came.");
    at.ann.deletes(first);
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });
});

const pointers = (chat: readonly SeenMessage[]) => chat.filter(({ text }) => text.includes("Here it is"));

/** Ann has made a film in a supergroup, and lists it in private. */
async function madeInGroup() {
  const on = await wholeBot();
  const group = on.telegram.group({ title: "Films", forum: true, admin: true });
  const ann = await on.regular({ name: "Ann" });
  const there = ann.in(group);
  await there.sendsPhoto(await readFile(picture), { caption: "@reelay_bot slow zoom" });
  await there.presses(/^✨/);
  const film = await there.sees(isResult);
  await expect.poll(() => on.isBusy()).toBe(false);
  ann.says("/jobs");
  await ann.sees("Your jobs");
  return { ...on, ann, there, film };
}

describe("a group's result that is asked for in private", () => {
  it("is pointed at there, and neither brought to another chat nor told to the group", async () => {
    await using on = await madeInGroup();
    await on.ann.presses("1. Show again");
    const { message } = await on.ann.sees("Here it is");
    expect(message.external_reply).toMatchObject({ message_id: on.film.id, chat: { id: on.film.chatId } });
    expect(on.ann.chat().filter(isResult)).toEqual([]);
    expect(pointers(on.there.chat())).toEqual([]);
  });

  it("is posted in its group again where it was deleted, and pointed at in private", async () => {
    await using on = await madeInGroup();
    on.there.deletes(on.film);
    await on.ann.presses("1. Show again");
    const { message } = await on.ann.sees("Here it is");
    const [anew, ...others] = on.there.chat().filter(isResult);
    expect(others).toEqual([]);
    expect(message.external_reply).toMatchObject({ message_id: anew?.id });
    expect(on.ann.chat().filter(isResult)).toEqual([]);
  });

  it("is pointed at in the group where Telegram lets it be answered there alone", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Films" });
    const there = { chat: group.chat.id, user: at.ann.user.id, locale: "en" } as const;
    const shown = await post(at.services, there, result("video"));
    const picky = refusing(at.services, ["sendMessage"], "message can't be replied in another chat", 1);
    expect(await pointAt(picky, shown, at.address)).toBe(true);
    expect((await at.ann.in(group).sees("Here it is")).replyTo).toBe(shown.message);
    expect(at.answers()).toEqual([]);
  });
});

describe("a private result", () => {
  it("is shown in no group, whoever asks for what there", async () => {
    await using on = await wholeBot();
    const group = on.telegram.group({ title: "Films", admin: true });
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(await readFile(picture), { caption: "slow zoom" });
    await ann.presses(/^✨/);
    const film = await ann.sees(isResult);
    await expect.poll(() => on.isBusy()).toBe(false);
    ann.in(group).says("/jobs");
    await ann.in(group).presses("Open the private chat");
    await ann.sees("Your jobs");
    await ann.presses("1. Show again");
    expect((await ann.sees("Here it is")).replyTo).toBe(film.id);
    expect(JSON.stringify(ann.in(group).chat())).not.toMatch(/slow zoom|Here it is/);
  });
});
