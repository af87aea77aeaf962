import { expect, it } from "vitest";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import { copyRenderer } from "../../../src/sandbox/sandbox.ts";
import { tinyClip } from "../../support/sandbox.ts";
import { cat, isResult, makingHarness } from "./making-harness.ts";

/** Ann's film, made while nobody can be told of it: the bot may not post in its channel, and Ann takes no messages. */
async function closed() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const copy = copyRenderer(tinyClip());
  const at = await makingHarness({
    render: async (...task: Parameters<typeof copy>) => {
      await promise;
      await copy(...task);
    },
  });
  const { ann, channel, on } = at;
  await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
  await ann.presses(/^Make it/);
  await ann.sees(/^Photo to video\n/, { in: channel });
  ann.closesConversation();
  channel.denies("SendMessages");
  on.discord.passTime(DISCORD.tokenMs + 1);
  release();
  const rows = () => on.database.kysely.selectFrom("jobs").select("delivery").execute();
  const deliveries = async () => (await rows()).map(({ delivery }) => delivery);
  await expect.poll(deliveries).toEqual(["undeliverable"]);
  return { ...at, deliveries };
}

it("what waited because its channel was closed comes when somebody speaks with us there again", async () => {
  await using at = await closed();
  const { bob, channel, on, deliveries } = at;
  const { guild } = channel;
  if (!guild) throw new Error("It is in no server.");
  const elsewhere = guild.channel({ name: "elsewhere" });
  await bob.uses("/balance", {}, { in: channel });
  await bob.sees("play money", { in: channel });
  expect(await deliveries()).toEqual(["undeliverable"]);
  channel.allows("SendMessages");
  await bob.uses("/balance", {}, { in: elsewhere });
  await bob.sees("play money", { in: elsewhere });
  expect(await deliveries()).toEqual(["undeliverable"]);
  await bob.uses("/balance", {}, { in: channel });
  const shown = await bob.sees(isResult, { in: channel });
  expect(shown.text).toContain(`<@${at.ann.user.id}> Photo to video: done`);
  await expect.poll(deliveries).toEqual(["delivered"]);
  await bob.uses("/balance", {}, { in: channel });
  expect(bob.chat({ in: channel }).filter(isResult)).toHaveLength(1);
  expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
});
