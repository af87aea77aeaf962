import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { noteAsked } from "../../../../adapters/kit/results/asked-again.ts";
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

  it("is never posted in its group again: where it was deleted, that is said in private, and there it can be had", async () => {
    await using on = await madeInGroup();
    on.there.deletes(on.film);
    await on.ann.presses("1. Show again");
    const said = await on.ann.sees("cannot point at it");
    await expect.poll(() => on.isBusy()).toBe(false);
    expect(on.there.chat().filter(isResult)).toEqual([]);
    expect(pointers(on.ann.chat())).toEqual([]);
    await on.ann.presses("Show it here", { on: said });
    const copy = await on.ann.sees(isResult);
    expect(copy.buttons.flat()).not.toContain("Report");
    expect(copy.buttons.flat().join()).toContain("Delete");
    expect(on.there.chat().filter(isResult)).toEqual([]);
    expect(pointers(on.there.chat())).toEqual([]);
  });

  it.each([
    "Bad Request: message to be replied not found",
    "Bad Request: message can't be replied in another chat",
    "Bad Request: chat not found",
  ])("is told by a link where Telegram says: %s", async (refusal) => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Films", forum: true, admin: true });
    const there = { chat: group.chat.id, user: at.ann.user.id, locale: "en" } as const;
    const shown = await post(at.services, there, result("video"));
    const { chat, locale } = at.address;
    await noteAsked(at.services.memory, result("video").job.id, chat, { chat, locale }, 60_000);
    const picky = refusing(at.services, ["sendMessage"], refusal, 1);
    expect(await replace(picky, shown, result("video"))).toEqual(shown);
    const said = await at.ann.sees("cannot point at it");
    expect(said.text).toContain(`https://t.me/c/${String(shown.chat).slice("-100".length)}/${shown.message}`);
    expect(at.ann.in(group).chat().filter(isResult)).toHaveLength(1);
    expect(pointers(at.ann.in(group).chat())).toEqual([]);
  });

  it("is asked for in private, so that which key it takes is said there, too", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Films", admin: true });
    const there = { chat: group.chat.id, user: at.ann.user.id, locale: "en" } as const;
    const { id } = result("video").job;
    const { chat, locale } = at.address;
    const view = { kind: "notice", text: { key: "show.needs_key" }, about: id } as const;
    await noteAsked(at.services.memory, id, chat, { chat, locale }, 60_000);
    await post(at.services, there, view);
    await at.ann.sees("only to a key");
    const said = () =>
      at.ann
        .in(group)
        .chat()
        .map(({ text }) => text);
    expect(said().join()).not.toContain("only to a key");
    // Whoever asks there is told there.
    await post(at.services, there, view);
    expect(said().join()).toContain("only to a key");
  });

  it("is asked for in private, so that what it comes to is said there, too", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Films", forum: true, admin: true });
    const there = { chat: group.chat.id, user: at.ann.user.id, locale: "en" } as const;
    const { job } = result("video");
    const shown = await post(at.services, there, result("video"));
    const { chat, locale } = at.address;
    await noteAsked(at.services.memory, job.id, chat, { chat, locale }, 60_000);
    const gone = { code: "result_gone", params: {} } as const;
    await replace(at.services, shown, { kind: "problem", problem: gone, job, charged: 1 });
    await at.ann.sees("never gave a complete file");
    expect(at.ann.in(group).chat()).toHaveLength(1);
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
