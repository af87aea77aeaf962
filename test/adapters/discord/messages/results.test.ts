import { MessageFlags } from "discord.js";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { DiscordAddress } from "../../../../adapters/discord/context/address.ts";
import type { Services } from "../../../../adapters/discord/context/context.ts";
import type { Interaction } from "../../../../adapters/discord/context/interaction.ts";
import { actHandlers } from "../../../../adapters/discord/handlers/press.ts";
import { deliver } from "../../../../adapters/discord/messages/post.ts";
import { deliveriesIn } from "../../../../adapters/discord/messages/results-memory.ts";
import { dispatch } from "../../../../adapters/kit/pipeline/handler.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import type { ProgressView } from "../../../../src/seam/views.ts";
import { clip, JOB, picture, result } from "../../../support/results.ts";
import { revise, harness, TOKEN_MS } from "../results-harness.ts";

const EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}";
const POST = "POST /channels/{channel_id}/messages";

const progress: ProgressView = {
  kind: "progress",
  job: result("video").job,
  phase: "running",
  percent: 40,
};

/** The core, of a press on what belongs to somebody else. */
const notTheirs = () => Promise.reject(new ReelayError("not_yours"));

/** Shows how far it is. */
const begin = ({ services, address }: { services: Services; address: DiscordAddress }) =>
  deliver(services, address, progress);

describe("a finished video", () => {
  it("takes the place of its progress, for all to see, but for what the person has left", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    const since = `-# <@${at.ann.user.id}> · <t:0:R>`;
    expect(at.said()[0]?.text).toBe(`Photo to video\n▰▰▰▰▱▱▱▱▱▱ 40 %\n${since}`);
    expect(await revise(asked.services, receipt, result("video"))).toEqual(receipt);
    const [shown, ...others] = at.said();
    expect(others).toEqual([]);
    expect(shown).toMatchObject({
      id: receipt.message,
      text: `Photo to video: done\n2.7 tokens · took 9 sec\n${since}`,
      buttons: [["Again", "Delete"]],
      ephemeral: false,
    });
    expect(shown?.files).toMatchObject([{ name: "made.mp4", contentType: "video/mp4" }]);
    expect(shown?.files[0]?.bytes).toEqual(await readFile(clip));
    expect(await readdir(asked.services.host.scratch)).toEqual([]);
  });

  it("of which no progress was shown yet comes all the same", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, result("video"));
    expect(at.said()).toMatchObject([{ id: receipt.message, files: [{ name: "made.mp4" }] }]);
  });

  it("shows all its files together", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const [media] = result("image").media;
    if (!media) throw new Error("There is no picture.");
    await deliver(services, address, { ...result("image"), media: [media, { ...media, name: "made-2" }] });
    expect(at.shown()).toMatchObject([{ files: [{ name: "made.png" }, { name: "made-2.png" }] }]);
    expect(at.shown()[0]?.files[1]?.bytes).toEqual(await readFile(picture));
  });

  it("that is private is shown to the person alone", async () => {
    await using at = await harness();
    const asked = await at.asks({ secret: true });
    const receipt = await begin(asked);
    await revise(asked.services, receipt, result("video"));
    expect(at.said()).toEqual([]);
    expect(await at.ann.sees("97.3 left")).toMatchObject({ ephemeral: true, files: [{ name: "made.mp4" }] });
  });

  it("in direct messages stands there as an ordinary message", async () => {
    await using at = await harness();
    const asked = await at.asks({ in: at.ann.conversation, secret: true });
    await revise(asked.services, await begin(asked), result("video"));
    expect(await at.ann.sees("done")).toMatchObject({ ephemeral: false, files: [{ name: "made.mp4" }] });
  });
});

describe("a result that is delivered again", () => {
  it("is shown once, and pointed at in private", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    await revise(asked.services, receipt, result("video"));
    expect(await revise(asked.services, receipt, result("video"))).toEqual(receipt);
    expect(await deliver(asked.services, asked.address, result("video"))).toEqual(receipt);
    expect(at.shown()).toHaveLength(1);
    const { text, ephemeral } = await at.ann.sees("Here it is");
    expect(ephemeral).toBe(true);
    expect(text).toContain(`https://discord.com/channels/${at.guild.id}/${at.channel.id}/${receipt.message}`);
  });

  it("is pointed at for its person, whoever else presses its buttons", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, result("video"));
    const { context } = await at.asks({ by: at.bob });
    const pressed = { ...context.interaction, data: { custom_id: `show:${JOB}` } };
    const press = dispatch(
      {
        ...context,
        interaction: pressed as Interaction,
        intake: { ...context.intake, buttons: new Map(), act: notTheirs },
      },
      actHandlers,
    );
    await expect(press).rejects.toMatchObject({ code: "not_yours" });
    await deliver(services, address, result("video"));
    expect((await at.ann.sees("Here it is")).text).toContain(receipt.message);
    expect(at.bob.chat({ in: at.channel }).filter(({ text }) => text.includes("Here it is"))).toEqual([]);
  });

  it("after a crash between its edit and writing that down is in the same message", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    await revise(asked.services, receipt, result("video"));
    await deliveriesIn(asked.services.memory).forget(`discord:${at.ann.user.id}`);
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toMatchObject([{ id: receipt.message, files: [{ name: "made.mp4" }] }]);
  });

  it("after a crash before its files were in the message that was posted for it, comes into that", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    // As often as an edit is tried.
    at.discord.fails(EDIT, { kind: "bad gateway" }, 4);
    await expect(deliver(services, address, result("video"))).rejects.toMatchObject({ name: "NoAnswer" });
    expect(at.said()).toMatchObject([{ text: expect.stringContaining("on its way"), files: [] }]);
    await deliver(services, address, result("video"));
    expect(at.said()).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
  });

  it("is posted anew when somebody deleted it", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    await revise(asked.services, receipt, result("video"));
    const [shown] = at.shown();
    if (!shown) throw new Error("Nothing came.");
    at.bob.deletes(shown);
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toHaveLength(1);
  });

  it("when its answer was lost is not shown twice", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.fails(EDIT, { kind: "reset after" });
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
  });

  it("keeps no progress that comes late", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    await revise(asked.services, receipt, result("video"));
    await revise(asked.services, receipt, progress);
    expect(at.shown()).toMatchObject([{ text: expect.stringContaining("done") }]);
  });
});

describe("a result after the token died", () => {
  it("is a message that answers the progress and calls who asked", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    const posted = await revise(asked.services, receipt, result("video"));
    const [before, shown] = at.said();
    expect(before).toMatchObject({ id: receipt.message, text: "Photo to video: done", buttons: [] });
    expect(shown).toMatchObject({
      id: posted.message,
      replyTo: receipt.message,
      buttons: [["Again", "Delete"]],
      files: [{ name: "made.mp4" }],
    });
    expect(shown?.text).toMatch(new RegExp(`^<@${at.ann.user.id}> Photo to video: done\n`));
    const [call] = at.discord.calls(POST);
    expect(call?.body).toMatchObject({
      nonce: JOB,
      enforce_nonce: true,
      allowed_mentions: { users: [at.ann.user.id] },
    });
  });

  it("is posted once, however often its answer is lost", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    at.discord.fails(POST, { kind: "reset after" }, 2);
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toHaveLength(1);
    expect(at.said()).toHaveLength(2);
  });

  it("comes although its progress is gone", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    const [before] = at.said();
    if (!before) throw new Error("Nothing came.");
    at.bob.deletes(before);
    at.discord.passTime(TOKEN_MS);
    await revise(asked.services, receipt, result("video"));
    expect(at.said()).toMatchObject([{ replyTo: undefined, files: [{ name: "made.mp4" }] }]);
  });

  it("that is private comes as a direct message", async () => {
    await using at = await harness();
    const asked = await at.asks({ secret: true });
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    await revise(asked.services, receipt, result("video"));
    expect(at.said()).toEqual([]);
    expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
  });

  it("that is private answers what was asked last, as long as that can be answered", async () => {
    await using at = await harness();
    const asked = await at.asks({ secret: true });
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    const elsewhere = at.guild.channel({ name: "elsewhere" });
    await at.asks({ in: elsewhere });
    await revise(asked.services, receipt, result("video"));
    const shown = await at.ann.sees(({ files }) => files.length > 0, { in: elsewhere });
    expect(shown).toMatchObject({ ephemeral: true, files: [{ name: "made.mp4" }] });
    expect(at.ann.chat({ in: at.ann.conversation })).toEqual([]);
  });

  it("comes as a direct message where the bot is only somebody's own app", async () => {
    await using at = await harness({ present: false });
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toEqual([]);
    expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
  });

  it("comes as a direct message when its channel is gone", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    at.channel.disappears();
    await revise(asked.services, receipt, result("video"));
    expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
  });

  it.each([
    ["SendMessages", "Send Messages"],
    ["ViewChannel", "View Channel"],
  ] as const)(
    "without the permission %s comes in private, with that permission named",
    async (permission, name) => {
      await using at = await harness();
      const asked = await at.asks();
      const receipt = await begin(asked);
      at.discord.passTime(TOKEN_MS);
      at.channel.denies(permission);
      await revise(asked.services, receipt, result("video"));
      expect(at.shown()).toEqual([]);
      expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([
        { text: expect.stringContaining(`“${name}”`) },
        { files: [{ name: "made.mp4" }] },
      ]);
    },
  );

  it("without the permission to read what was said before comes as no answer", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    at.channel.denies("ReadMessageHistory");
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toMatchObject([{ replyTo: undefined, files: [{ name: "made.mp4" }] }]);
  });

  it("waits where no way leads to the person, and comes when they look for it", async () => {
    await using at = await harness({ present: false });
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    at.ann.closesConversation();
    const sending = revise(asked.services, receipt, result("video"));
    await expect(sending).rejects.toMatchObject({ code: "undeliverable" });
    const { services } = await at.asks();
    await revise(services, receipt, result("video"));
    expect(await at.ann.sees(({ files }) => files.length > 0)).toMatchObject({
      ephemeral: true,
      files: [{ name: "made.mp4" }],
    });
    expect(at.shown()).toEqual([]);
  });
});

describe("a result that is spoken of later", () => {
  it("goes with its file when its job is deleted", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await revise(asked.services, await begin(asked), result("video"));
    await revise(asked.services, receipt, {
      kind: "notice",
      text: { key: "job.deleted" },
      job: progress.job,
    });
    expect(at.said()).toMatchObject([{ text: "Deleted.", files: [], buttons: [] }]);
  });

  it("stays when something about it goes wrong, which is said in private", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await revise(asked.services, await begin(asked), result("video"));
    const { job } = progress;
    const view = {
      kind: "problem",
      problem: { code: "result_gone", params: {} },
      job,
      charged: 2.7,
    } as const;
    expect(await revise(asked.services, receipt, view)).toEqual(receipt);
    expect(at.said()).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
    expect((await at.ann.sees("never gave a complete file of it")).message.flags).toBe(
      MessageFlags.Ephemeral | MessageFlags.IsComponentsV2,
    );
  });

  it("is forgotten with the person it was for, and with nobody else", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, result("video"));
    await deliveriesIn(services.memory).forget("discord:1");
    expect(await deliveriesIn(services.memory).find(JOB)).toBeDefined();
    await deliveriesIn(services.memory).forget(`discord:${at.ann.user.id}`);
    expect(await deliveriesIn(services.memory).find(JOB)).toBeUndefined();
  });
});
