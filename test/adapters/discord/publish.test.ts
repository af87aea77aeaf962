import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiscordApi, restFor } from "../../../adapters/discord/discord-api.ts";
import { publishCommands } from "../../../adapters/discord/publish.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { memory } from "../../../src/storage/key-value.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const GO = { name: "go", description: "Go" };
const STAY = { name: "stay", description: "Stay" };

/** An application that remembers what it has registered. */
async function application() {
  const discord = await FakeDiscord.start();
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const rest = restFor({ token: discord.token, apiRoot: discord.url, publicKey: undefined });
  return {
    discord,
    office: {
      api: new DiscordApi(rest, discord.applicationId),
      memory: memory(database, "discord"),
    },
    /** What was registered, each time. */
    registered: () =>
      discord.calls("PUT /applications/{application_id}/commands").map(({ body }) => body as object[]),
    async [Symbol.asyncDispose]() {
      await database.close();
      await discord.stop();
    },
  };
}

describe("the commands", () => {
  it("are registered again only when they have changed", async () => {
    await using stage = await application();
    await publishCommands(stage.office, [GO]);
    await publishCommands(stage.office, [GO]);
    expect(stage.registered()).toEqual([[GO]]);
    await publishCommands(stage.office, [GO, STAY]);
    expect(stage.registered()).toEqual([[GO], [GO, STAY]]);
  });

  it("are registered for another application of the same data folder", async () => {
    await using one = await application();
    await using other = await application();
    await publishCommands(one.office, [GO]);
    await publishCommands({ ...other.office, memory: one.office.memory }, [GO]);
    expect(other.registered()).toEqual([[GO]]);
  });

  it("are registered the next time when that failed", async () => {
    await using stage = await application();
    stage.discord.fails("PUT /applications/{application_id}/commands", { kind: "internal" });
    await expect(publishCommands(stage.office, [GO])).rejects.toThrow("Internal Server Error");
    await publishCommands(stage.office, [GO]);
    expect(stage.registered()).toHaveLength(2);
  });
});
