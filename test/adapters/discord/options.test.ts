import { describe, expect, it } from "vitest";
import { makeCommands } from "../../../adapters/discord/options.ts";
import { COMMAND_SPECS } from "../../../src/commands/registry.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";

describe("what Discord is told of", () => {
  it("is taken by it", async () => {
    await using discord = await FakeDiscord.start();
    const answer = await call(
      discord,
      `PUT /applications/${discord.applicationId}/commands`,
      makeCommands(COMMAND_SPECS),
    );
    expect(answer.body).toHaveLength(4);
    expect(answer.status).toBe(200);
  });
});
