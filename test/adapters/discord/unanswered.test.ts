import { ButtonStyle, ComponentType, InteractionResponseType as Answer, TextInputStyle } from "discord.js";
import { describe, expect, it } from "vitest";
import { said } from "../../../adapters/discord/messages/render.ts";
import { desk } from "./context-harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ANSWERS = "POST /interactions/{interaction_id}/{interaction_token}/callback";

const FILL = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original";

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

/** A row with the button of a form. */
const form = {
  type: ComponentType.ActionRow as const,
  components: [
    {
      type: ComponentType.Button as const,
      style: ButtonStyle.Primary as const,
      custom_id: "~d:1",
      label: "make it",
    },
  ],
};

describe("an interaction", () => {
  it("leaves what was pressed as it is when dealing with it fails: the way on is there", async () => {
    await using harness = await desk({
      async handler({ interaction, reply }) {
        if ("custom_id" in interaction.data) throw new Error("a mistake of ours");
        await reply.tell(said("a form", [form]));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    const channel = harness.discord.guild({ name: "Films" }).channel();
    await ann.uses("/go", {}, { in: channel });
    await ann.presses("make it");
    await expect.poll(harness.left).toEqual([]);
    expect(ann.chat({ in: channel })).toMatchObject([
      { text: "a form", buttons: [["make it"]] },
      { text: expect.stringContaining("Something went wrong"), ephemeral: true },
    ]);
  });

  it("whose first answer Discord took without a word goes on, once that is known", async () => {
    await using harness = await desk({
      timeScale: 1,
      async handler({ reply }) {
        await reply.tell(said("hello"));
        return true;
      },
    });
    harness.discord.fails(ANSWERS, { kind: "slow after", ms: 2 * PATIENCE_MS });
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("hello");
    await expect.poll(harness.left).toEqual([]);
  });

  it.each([
    ["what is said", false, Answer.DeferredChannelMessageWithSource],
    ["a modal", true, Answer.Modal],
  ])(
    "whose first answer Discord leaves unanswered (%s) holds up nothing that follows",
    async (_, opens, kind) => {
      await using harness = await desk({
        timeScale: 1,
        mayOpenModal: () => opens,
        async handler({ reply }) {
          if (!opens || !(await reply.openModal(modal))) await reply.tell(said("hello"));
          return true;
        },
      });
      harness.discord.fails(ANSWERS, { kind: "slow", ms: 2 * PATIENCE_MS });
      const ann = harness.discord.person({ name: "Ann" });
      await expect(ann.uses("/go")).rejects.toThrow("did not respond");
      // What comes before that waits behind it, and for too long to be a modal where the machine is slow.
      await expect.poll(harness.left).toEqual([]);
      expect((await ann.uses("/go")).kind).toBe(kind);
      if (!opens) await ann.sees("hello");
      await expect.poll(harness.left).toEqual([]);
    },
  );

  it.each([
    [
      "is told to wait far too long",
      ANSWERS,
      { kind: "rate limit", retryAfter: (2 * PATIENCE_MS) / 1_000 },
      false,
    ],
    ["changes nothing for minutes", FILL, { kind: "slow", ms: 2 * PATIENCE_MS }, true],
  ] as const)("for which the bot %s is given up or tried again soon", async (_, route, fault, isHeard) => {
    await using harness = await desk({
      timeScale: 1,
      async handler({ reply }) {
        await reply.tell(said("hello"));
        return true;
      },
    });
    const ann = harness.discord.person({ name: "Ann" });
    harness.discord.fails(route, fault);
    const first = await ann.uses("/go").then(
      () => "heard",
      (error: unknown) => String(error),
    );
    expect(first).toContain(isHeard ? "heard" : "did not respond");
    if (!isHeard) await ann.uses("/go");
    await ann.sees("hello");
    await expect.poll(harness.left).toEqual([]);
  });
});
