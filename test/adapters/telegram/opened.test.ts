import { expect, it } from "vitest";
import { copyRenderer } from "../../../src/sandbox/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { tinyClip } from "../../support/sandbox.ts";
import { isResult } from "./draft-harness.ts";
import { harness } from "./words-harness.ts";

/** A bot whose films are not made before they may be. */
async function held() {
  const { promise: mayEnd, resolve: release } = Promise.withResolvers<void>();
  const copy = copyRenderer(tinyClip());
  const on = await harness({
    async render(...task: Parameters<typeof copy>) {
      await mayEnd;
      await copy(...task);
    },
  });
  const deliveries = async () =>
    (await on.database.kysely.selectFrom("jobs").select("delivery").execute()).map(
      ({ delivery }) => delivery,
    );
  const isUnreached = async () => {
    await expect.poll(deliveries).toEqual(["undeliverable"]);
  };
  return { ...on, release, isUnreached };
}

it("a film that was made while its person blocked the bot comes once when they unblock it", async () => {
  await using on = await held();
  const ann = await on.regular({ name: "Ann" });
  ann.says("/videoaudio rain on a roof");
  await ann.presses(/Generate/);
  await submitted(on, 1);
  // Its draft has become its progress.
  await ann.sees(({ text }) => text === "Video with sound · “rain on a roof”");
  ann.blocks();
  on.release();
  await on.isUnreached();
  ann.unblocks();
  ann.says("/balance");
  const film = await ann.sees(isResult);
  // Nothing says that it is still on its way.
  const buttons = () => ann.chat().flatMap((message) => message.buttons.flat());
  await expect.poll(buttons).not.toContain("Cancel");
  ann.says("/jobs");
  await ann.sees("Your jobs");
  expect(
    ann
      .chat()
      .filter(isResult)
      .map(({ id }) => id),
  ).toEqual([film.id]);
});

it("a film that was made while the bot was out of its group comes when it is added again", async () => {
  await using on = await held();
  const group = on.telegram.group({ title: "Friends" });
  const ann = (await on.regular({ name: "Ann" })).in(group);
  ann.says("/videoaudio rain on a roof");
  await ann.presses(/Generate/);
  await submitted(on, 1);
  group.kicksBot();
  on.release();
  await on.isUnreached();
  group.addsBot();
  await ann.sees(isResult);
  expect(ann.chat().filter(isResult)).toHaveLength(1);
});

it("a film that was made while its topic was closed comes there when it is opened again", async () => {
  await using on = await held();
  const forum = on.telegram.group({ title: "Forum", forum: true });
  const topic = forum.opensTopic("Films");
  const ann = (await on.regular({ name: "Ann" })).in(forum, topic);
  ann.says("/videoaudio@reelay_bot rain on a roof");
  await ann.presses(/Generate/);
  await submitted(on, 1);
  const progress = await ann.sees(({ text }) => text.startsWith("Video with sound"));
  ann.deletes(progress);
  forum.closes(topic);
  on.release();
  await on.isUnreached();
  forum.reopens(topic);
  expect((await ann.sees(isResult)).topic).toBe(topic.id);
  expect(ann.chat().filter(isResult)).toHaveLength(1);
});

/** Ann has asked for a film in a topic, which is deleted before it is made. */
async function inDeletedTopic(isKnown: boolean) {
  const on = await held();
  const forum = on.telegram.group({ title: "Forum", forum: true });
  const topic = forum.opensTopic("Films");
  const person = await on.regular({ name: "Ann" });
  if (isKnown) {
    person.says("/balance");
    await person.sees("sandbox");
  }
  const ann = person.in(forum, topic);
  ann.says("/videoaudio@reelay_bot rain on a roof");
  await ann.presses(/Generate/);
  await submitted(on, 1);
  await ann.sees(({ text }) => text.startsWith("Video with sound"));
  forum.deletes(topic);
  on.release();
  await on.isUnreached();
  return { on, forum, person, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

it("a film whose topic was deleted is said to wait in its person's private chat, and is shown there", async () => {
  await using at = await inDeletedTopic(true);
  const { on, forum, person } = at;
  const told = await person.sees("could not be posted where you asked for it");
  expect(told.text).toContain("Video with sound: done");
  await person.presses("Show again", { on: told });
  await person.sees(isResult);
  expect(person.in(forum).chat().filter(isResult)).toEqual([]);
  await on.isUnreached();
});

it("the same is said to all of the forum where the bot may not write to them", async () => {
  await using at = await inDeletedTopic(false);
  const told = await at.person.in(at.forum).sees("could not be posted where you asked for it");
  expect(told.topic).toBeUndefined();
  expect(told.text).not.toContain("rain on a roof");
});

it("a film that was deleted while the bot was out of its group goes when it is added again", async () => {
  await using on = await harness({ render: copyRenderer(tinyClip()) });
  const group = on.telegram.group({ title: "Friends" });
  const ann = await on.regular({ name: "Ann" });
  const inGroup = ann.in(group);
  inGroup.says("/videoaudio rain on a roof");
  await inGroup.presses(/Generate/);
  await inGroup.sees(isResult);
  const deliveries = () => on.database.kysely.selectFrom("jobs").select("delivery").execute();
  await expect.poll(deliveries).toEqual([{ delivery: "delivered" }]);
  group.kicksBot();
  ann.says("/jobs");
  await ann.presses(/Delete/);
  await ann.presses("Delete for good");
  await ann.sees(/Still shown in a chat that cannot be reached now/);
  expect(inGroup.chat().filter(isResult)).toHaveLength(1);
  group.addsBot();
  await expect.poll(() => inGroup.chat().filter(isResult)).toEqual([]);
});
