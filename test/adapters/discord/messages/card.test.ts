import { MessageFlags } from "discord.js";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { deliver } from "../../../../adapters/discord/messages/post.ts";
import { deliveriesIn } from "../../../../adapters/discord/messages/results-memory.ts";
import type { ProgressView, ResultView } from "../../../../src/seam/views.ts";
import { JOB, picture, result } from "../../../support/results.ts";
import { harness, revise } from "../results-harness.ts";

/** Asked for at a known time, with these words. */
const asked = (prompt: string) => ({
  ...result("video").job,
  createdAt: 1_700_000_000_000,
  values: { prompt },
});
const made = (prompt: string): ResultView => ({ ...result("video"), job: asked(prompt) });
const running = (prompt: string): ProgressView => ({
  kind: "progress",
  job: asked(prompt),
  phase: "running",
  percent: 40,
});

const MESSAGE = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}";

describe("a job's card", () => {
  it("says in a server who asked and when, with the words behind a press, from the progress to the result", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running("slow zoom"));
    const since = `-# <@${at.ann.user.id}> · <t:1700000000:R>`;
    expect(at.said()).toMatchObject([
      { text: ["Photo to video", "||“slow zoom”||", "▰▰▰▰▱▱▱▱▱▱ 40 %", since].join("\n") },
    ]);
    await revise(services, receipt, made("slow zoom"));
    const [shown, ...others] = at.said();
    expect(others).toEqual([]);
    expect(shown).toMatchObject({
      id: receipt.message,
      text: ["Photo to video: done", "||“slow zoom”||", "2.7 tokens · took 9 sec", since].join("\n"),
      files: [{ name: "made.mp4", description: "Photo to video: done · “slow zoom”", covered: false }],
      buttons: [["Again", "Delete"]],
    });
    expect(shown?.message.mentions).toEqual([]);
    expect(shown?.message.components).toMatchObject([{ type: 17 }]);
  });

  it("covers nothing and names nobody where nobody else reads along", async () => {
    await using at = await harness();
    const { services, address } = await at.asks({ in: at.ann.conversation });
    await deliver(services, address, made("slow zoom"));
    const { text } = await at.ann.sees("done");
    expect(text).toBe(
      "Photo to video: done\n“slow zoom”\n2.7 tokens · 97.3 left · took 9 sec\n-# <t:1700000000:R>",
    );
  });

  it("lets no words of a person's leave their cover, call somebody or look like a heading", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, made("||# <@1>\n||\n@everyone"));
    const [shown] = at.said();
    expect(shown?.text).toContain("||“\\|\\|# \\<@1> \\|\\| @everyone”||");
    expect(shown?.message.mentions).toEqual([]);
  });

  it("shows what it was made of beside its words, small", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const { id } = await services.host.files.put(createReadStream(picture), 1_000_000);
    const view = made("slow zoom");
    const image = { surface: "discord", id } as const;
    await deliver(services, address, { ...view, job: { ...view.job, values: { image } } });
    const [shown] = at.said();
    expect(shown?.files).toHaveLength(1);
    expect(shown?.thumbnails).toMatchObject([{ name: "source.jpg", contentType: "image/jpeg" }]);
    expect(await sharp(shown?.thumbnails[0]?.bytes).metadata()).toMatchObject({ width: 240, height: 160 });
  });

  it("shows all pictures that it was made of in that one, in their order", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const images = await Promise.all(
      ["#f00", "#00f", "#0f0"].map(async (background) => {
        const colour = sharp({ create: { width: 300, height: 200, channels: 3, background } });
        const { id } = await services.host.files.put(Readable.from([await colour.png().toBuffer()]), 1e6);
        return { surface: "discord", id } as const;
      }),
    );
    const view = made("both of them");
    const job = { ...view.job, operation: "image-edit", values: { images } };
    await deliver(services, address, { ...view, job });
    const { data, info } = await sharp(at.said()[0]?.thumbnails[0]?.bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 240, height: 240 });
    const brightest = [60, 180].map((x) => {
      const start = (60 * info.width + x) * info.channels;
      return ["red", "green", "blue"][
        [0, 1, 2].toSorted((a, b) => (data[start + b] ?? 0) - (data[start + a] ?? 0))[0] ?? 0
      ];
    });
    expect(brightest).toEqual(["red", "blue"]);
  });

  it("covers both pictures of what is to be covered, and describes neither", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, { ...made("slow zoom"), spoiler: true });
    expect(at.said()[0]?.files).toMatchObject([{ covered: true, description: "Photo to video: done" }]);
  });
});

describe("a card that only one person sees", () => {
  const late =
    "-# If it takes longer than 15 min, it comes as a direct message or in answer to what you asked last. It is under /jobs, too.";

  it("says how what takes longer than it can be changed reaches them, until it is made", async () => {
    await using at = await harness();
    const { services, address } = await at.asks({ secret: true });
    const receipt = await deliver(services, address, running("slow zoom"));
    const now = () => at.ann.chat({ in: at.channel }).find(({ id }) => id === receipt.message);
    expect(now()).toMatchObject({ ephemeral: true, text: expect.stringMatching(/40 %\n-# .*\n-# If it/) });
    expect(now()?.text.endsWith(late)).toBe(true);
    await revise(services, receipt, { ...running("slow zoom"), percent: 80 });
    expect(now()?.text).toContain("80 %");
    expect(now()?.text.endsWith(late)).toBe(true);
    await revise(services, receipt, { ...running("slow zoom"), phase: "sending" });
    expect(now()?.text).not.toContain("15 min");
    await revise(services, receipt, made("slow zoom"));
    expect(now()?.text).toContain("done");
    expect(now()?.text).not.toContain("15 min");
  });

  it.each([
    ["that others see", {}],
    ["in direct messages", { secret: true, inConversation: true }],
  ])(
    "is the only one that says so, and none %s: those can be changed however long it takes",
    async (_, { inConversation, ...where }: { secret?: boolean; inConversation?: boolean }) => {
      await using at = await harness();
      const { ann, channel } = at;
      const there = inConversation ? ann.conversation : channel;
      const { services, address } = await at.asks({ in: there, ...where });
      await deliver(services, address, running("slow zoom"));
      expect((await ann.sees("40 %", { in: there })).text).not.toContain("15 min");
    },
  );
});

describe("a message from before cards", () => {
  it("becomes one", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, running("slow zoom"));
    const before = [...at.channel.posts.values()].find(({ id }) => id === receipt.message);
    if (!before) throw new Error("Nothing came.");
    before.shown = {
      ...before.shown,
      content: "Photo to video",
      components: [],
      flags: MessageFlags.SuppressEmbeds,
    };
    await revise(services, receipt, running("slow zoom"));
    expect(at.said()).toMatchObject([{ text: expect.stringMatching(/^Photo to video\n\|\|/) }]);
    expect(at.discord.calls(MESSAGE).at(-1)?.body).toMatchObject({ content: null, embeds: [] });
  });

  it("that shows a result keeps what it shows when it is pointed at", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const receipt = await deliver(services, address, made("slow zoom"));
    const post = [...at.channel.posts.values()].find(({ id }) => id === receipt.message);
    if (!post) throw new Error("Nothing came.");
    post.shown = {
      ...post.shown,
      content: "Photo to video: done",
      components: [],
      flags: MessageFlags.SuppressEmbeds,
    };
    await deliveriesIn(services.memory).keep(JOB, { receipt, opening: "", complete: true });
    await deliver(services, address, made("slow zoom"));
    expect(at.shown()).toMatchObject([
      { text: "Photo to video: done", buttons: [["Again", "Delete"]], files: [{ name: "made.mp4" }] },
    ]);
  });
});
