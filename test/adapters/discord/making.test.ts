import { describe, expect, it, vi } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import type { Channel } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import type { SeenMessage } from "../../support/discord/seen.ts";
import { testPicture } from "../../support/sandbox.ts";
import { stage } from "./stage.ts";

const photo = Buffer.from(await testPicture(), "base64");
const cat = attachment(photo, "cat.jpg");

/** What was sent to the service, oldest first, once there is so much of it. */
async function submitted({ sandbox }: Awaited<ReturnType<typeof stage>>, count: number) {
  return vi.waitFor(
    async () => {
      const { submissions } = await sandbox.ledger();
      expect(submissions.length).toBeGreaterThanOrEqual(count);
      return submissions;
    },
    { timeout: 10_000 },
  );
}

const isResult = ({ files, from }: SeenMessage) => from === "bot" && files.length > 0;

/** A server with a channel, and Ann in it, who has agreed to what is made of photos once and for all. */
async function setting(options: Parameters<typeof stage>[0] = {}) {
  const on = await stage(options);
  const ann = on.discord.person({ name: "Ann" });
  const channel = on.discord.guild({ name: "Films" }).channel();
  ann.joins(channel);
  return { on, ann, channel, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

describe("/make", () => {
  it("says what it costs in private, and makes it for all to see once that is confirmed", async () => {
    await using at = await setting();
    const { on, ann, channel } = at;
    const bob = on.discord.person({ name: "Bob" });
    bob.joins(channel);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
    const offer = await ann.sees("Photo to video costs about");
    expect(offer).toMatchObject({ ephemeral: true, text: expect.stringContaining("“waves”") });
    expect(offer.buttons[0]?.[0]).toMatch(/^Make it · about \d/);
    await ann.presses(/^Make it/);
    await ann.presses("Yes, they agreed");
    const result = await bob.sees(isResult, { in: channel });
    expect(result.files[0]?.contentType).toBe("video/mp4");
    expect((await ann.sees("Photo to video begins")).id).toBe(offer.id);
    expect((await submitted(on, 1)).map(({ prompt }) => prompt)).toEqual(["waves"]);
    expect(bob.chat({ in: channel })).toHaveLength(1);
  });
});
