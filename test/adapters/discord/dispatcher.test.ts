import { ComponentType, ButtonStyle, InteractionResponseType as Answer, TextInputStyle } from "discord.js";
import { setTimeout as pause } from "node:timers/promises";
import { said } from "../../../adapters/discord/messages/render.ts";
import { describe, expect, it } from "vitest";
import type { Handler } from "../../../adapters/discord/context/context.ts";
import type { MessageHandler } from "../../../adapters/discord/context/message.ts";
import { tell } from "../../../adapters/discord/messages/tell.ts";
import { desk } from "./context-harness.ts";

const ANSWERS = "POST /interactions/{interaction_id}/{interaction_token}/callback";

const button = (custom_id: string) => ({
  type: ComponentType.ActionRow as const,
  components: [
    {
      type: ComponentType.Button as const,
      style: ButtonStyle.Secondary as const,
      custom_id,
      label: custom_id,
    },
  ],
});

const modal = {
  custom_id: "~f:1",
  title: "What next?",
  components: [
    {
      type: ComponentType.Label as const,
      label: "Words",
      component: {
        type: ComponentType.TextInput as const,
        custom_id: "words",
        style: TextInputStyle.Short as const,
      },
    },
  ],
};

/** A handler that never comes to an end. */
const stuck = () => new Promise<boolean>(() => {});

/** A handler that says something. */
const saying =
  (content: string): Handler =>
  async ({ reply }) => {
    await reply.tell(said(content));
    return true;
  };

describe("an interaction", () => {
  it("is answered in private before anything else happens", async () => {
    await using harness = await desk({ handler: stuck });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    const { kind, acknowledgedAfter } = await ann.uses("/go", {}, { in: channel });
    expect(kind).toBe(Answer.DeferredChannelMessageWithSource);
    expect(acknowledgedAfter).toBeLessThan(3_000);
    const bob = harness.discord.person({ name: "Bob" });
    bob.joins(channel);
    expect((await ann.sees(({ thinking }) => thinking)).ephemeral).toBe(true);
    expect(bob.chat({ in: channel })).toEqual([]);
  });

  it("fills in its first answer, then follows up, all of it for one person's eyes", async () => {
    await using harness = await desk({
      async handler({ reply }) {
        await reply.tell(said("one"));
        await reply.tell(said("two"));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    await ann.sees("two");
    expect(ann.chat({ in: channel })).toMatchObject([
      { text: "one", ephemeral: true, thinking: false },
      { text: "two", ephemeral: true },
    ]);
  });

  it("shows everybody only what is public, after what is private", async () => {
    await using harness = await desk({
      async handler({ reply }) {
        const published = reply.publish(said("made"), false);
        await reply.tell(said("cost"));
        await published;
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const bob = harness.discord.person({ name: "Bob" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    bob.joins(channel);
    await ann.uses("/go", {}, { in: channel });
    await ann.sees("made");
    expect(ann.chat({ in: channel }).map(({ text }) => text)).toEqual(["cost", "made"]);
    expect(bob.chat({ in: channel }).map(({ text }) => text)).toEqual(["made"]);
  });

  it("does not go on thinking when only something public came of it, or nothing", async () => {
    let publishes = true;
    await using harness = await desk({
      async handler({ reply }) {
        if (publishes) await reply.publish(said("made"), false);
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("made");
    publishes = false;
    await ann.uses("/go");
    await harness.discord.until(() => !ann.chat().some(({ thinking }) => thinking));
    expect(ann.chat().map(({ text }) => text)).toEqual(["made"]);
  });

  it("is an ordinary message in direct messages", async () => {
    await using harness = await desk({
      async handler({ reply }) {
        await reply.tell(said("hello"));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    expect((await ann.sees("hello")).ephemeral).toBe(false);
  });

  it("changes the first answer it was pressed on, and answers anew where a follow-up was pressed", async () => {
    await using harness = await desk({
      async handler({ interaction, reply }) {
        if ("custom_id" in interaction.data) await reply.tell(said(`pressed ${interaction.data.custom_id}`));
        else {
          await reply.tell(said("menu", [button("page")]));
          await reply.publish(said("made", [button("again")]), false);
        }
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    expect((await ann.presses("page")).kind).toBe(Answer.DeferredMessageUpdate);
    await ann.sees("pressed page");
    expect((await ann.presses("again")).kind).toBe(Answer.DeferredChannelMessageWithSource);
    await ann.sees("pressed again");
    expect(ann.chat({ in: channel })).toMatchObject([
      { text: "pressed page", buttons: [], ephemeral: true },
      { text: "made", ephemeral: false },
      { text: "pressed again", ephemeral: true },
    ]);
  });

  it("opens a modal first where one is due", async () => {
    await using harness = await desk({
      mayOpenModal: () => true,
      async handler({ reply }) {
        await reply.openModal(modal);
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    expect((await ann.uses("/go")).kind).toBe(Answer.Modal);
    expect(ann.modal()?.title).toBe("What next?");
    expect(ann.chat()).toEqual([]);
  });

  it("is deferred all the same when the modal does not come in time", async () => {
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    await using harness = await desk({
      mayOpenModal: () => true,
      async handler({ reply }) {
        await slow;
        const opened = await reply.openModal(modal);
        await reply.tell(said(opened ? "opened" : "too late for a modal"));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const answered = await ann.uses("/go");
    expect(answered.kind).toBe(Answer.DeferredChannelMessageWithSource);
    expect(answered.acknowledgedAfter).toBeLessThan(3_000);
    resolve();
    await ann.sees("too late for a modal");
  });

  it("that came too late is dropped: the person was told that it failed", async () => {
    let dealtWith = 0;
    await using harness = await desk({
      async handler() {
        dealtWith++;
        return true;
      },
    });
    harness.discord.fails(ANSWERS, { kind: "slow", ms: 50 });
    const ann = harness.discord.person({ name: "Ann" });
    const answer = ann.uses("/go").catch(String);
    await harness.discord.until(() => harness.discord.interactions().length === 1);
    harness.discord.passTime(3_000);
    expect(await answer).toContain("did not respond");
    await pause(100);
    expect(dealtWith).toBe(0);
    await expect.poll(harness.left).toEqual([]);
  });

  it("is dealt with once, also when a resumed connection repeats it", async () => {
    let dealtWith = 0;
    await using harness = await desk({
      async handler({ reply }) {
        dealtWith++;
        await reply.tell(said("once"));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("once");
    const [interaction] = harness.heard;
    if (interaction) await harness.take(interaction);
    expect(dealtWith).toBe(1);
    expect(ann.chat().map(({ text }) => text)).toEqual(["once"]);
  });

  it("counts as answered when only the news of that was lost", async () => {
    await using harness = await desk({
      async handler({ reply }) {
        await reply.tell(said("hello"));
        return true;
      },
    });
    harness.discord.fails(ANSWERS, { kind: "reset after" });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("hello");
    expect(ann.chat()).toHaveLength(1);
  });

  it("ends with a sentence when dealing with it fails", async () => {
    await using harness = await desk({
      async handler() {
        throw new Error("a mistake of ours");
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    expect((await ann.sees(({ thinking, text }) => !thinking && text !== "")).text).not.toContain(
      "mistake of ours",
    );
    await expect.poll(harness.left).toEqual([]);
  });

  it("is taken up again after a crash, in the message that was thinking", async () => {
    await using harness = await desk({ handler: stuck });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    expect(await harness.left()).toHaveLength(1);
    await harness.restart(async ({ reply }) => {
      await reply.tell(said("after all"));
      return true;
    });
    await ann.sees("after all");
    expect(ann.chat({ in: channel })).toMatchObject([
      { text: "after all", thinking: false, ephemeral: true },
    ]);
    await expect.poll(harness.left).toEqual([]);
  });

  it("that a killed process had kept and not answered is answered by the next, while there is time", async () => {
    await using harness = await desk({ handler: stuck });
    // The answer of the killed process arrives when nobody cares any more.
    harness.discord.fails(ANSWERS, { kind: "slow", ms: 2_000 });
    const ann = harness.discord.person({ name: "Ann" });
    const answered = ann.uses("/go");
    await expect.poll(harness.left).toHaveLength(1);
    await harness.restart(saying("after all"));
    expect((await answered).acknowledgedAfter).toBeLessThan(2_000);
    expect(await ann.sees("after all")).toMatchObject({ thinking: false });
  });

  it("that a killed process had kept and not answered in time is dropped: the person was told so", async () => {
    let dealtWith = 0;
    await using harness = await desk({ handler: stuck });
    harness.discord.fails(ANSWERS, { kind: "slow", ms: 100 });
    const ann = harness.discord.person({ name: "Ann" });
    const answer = ann.uses("/go").catch(String);
    await expect.poll(harness.left).toHaveLength(1);
    harness.discord.passTime(3_000);
    expect(await answer).toContain("did not respond");
    await harness.restart(async () => {
      dealtWith++;
      return true;
    });
    await expect.poll(harness.left).toEqual([]);
    expect(dealtWith).toBe(0);
    expect(ann.chat()).toEqual([]);
  });

  it("that a killed process may have opened a modal for says more beside it", async () => {
    await using harness = await desk({
      mayOpenModal: () => true,
      async handler({ reply }) {
        await reply.openModal(modal);
        return stuck();
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    await harness.restart(saying("after all"));
    expect(await ann.sees("after all")).toMatchObject({ ephemeral: true, channelId: channel.id });
  });

  it("whose first answer a killed process had taken away already says more beside what took its place", async () => {
    await using harness = await desk({
      async handler({ reply }) {
        await reply.publish(said("made"), false);
        return stuck();
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    await ann.sees("made");
    await harness.restart(saying("after all"));
    await ann.sees("after all");
    expect(ann.chat({ in: channel })).toMatchObject([
      { text: "made", ephemeral: false },
      { text: "after all", ephemeral: true },
    ]);
  });

  it("whose repetition comes over a resumed connection later is not answered twice", async () => {
    await using harness = await desk({ handler: saying("once") });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await expect.poll(harness.left).toEqual([]);
    const [interaction] = harness.heard;
    if (interaction) await harness.take(interaction);
    expect(harness.discord.calls(ANSWERS)).toHaveLength(1);
  });
});

/** A handler that replies before it goes on. */
const answering =
  (then: () => Promise<boolean>): MessageHandler =>
  async (context) => {
    await tell(context, context.address, said("hello"));
    return then();
  };

describe("a message", () => {
  it("is taken up again after a crash, and answered once", async () => {
    await using harness = await desk({ messageHandler: answering(stuck) });
    const ann = harness.discord.person({ name: "Ann" });
    const sent = await ann.says("hi");
    await ann.sees("hello");
    expect(await harness.left()).toHaveLength(1);
    await harness.restart(
      undefined,
      answering(async () => true),
    );
    await expect.poll(harness.left).toEqual([]);
    ann.repeats(sent);
    expect(ann.chat().filter(({ text }) => text === "hello")).toHaveLength(1);
  });

  it("that could not be dealt with is answered with a sentence", async () => {
    await using harness = await desk({
      async messageHandler() {
        throw new Error("a mistake of ours");
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const sent = await ann.says("hi");
    const said = await ann.sees(({ from }) => from === "bot");
    expect(said.replyTo).toBe(sent.id);
    expect(said.text).not.toContain("mistake of ours");
    await expect.poll(harness.left).toEqual([]);
  });
});
