import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Api } from "../../../adapters/discord/api/api.ts";
import { restFor } from "../../../adapters/discord/api/rest.ts";
import { publishCommands } from "../../../adapters/discord/publish.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const GO = { name: "go", description: "Go" };
const STAY = { name: "stay", description: "Stay" };

const PERSISTENCE = { log: makeLogger({ level: "silent" }), signal: new AbortController().signal };
const ROUTE = "PUT /applications/{application_id}/commands";

/** An application that remembers what it has registered. */
async function application() {
  const discord = await FakeDiscord.start();
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const rest = restFor({ token: discord.token, apiRoot: discord.url, publicKey: undefined });
  return {
    discord,
    services: {
      api: new Api(rest, discord.applicationId),
      memory: memory(database, "discord"),
    },
    /** What was registered, each time. */
    registered: () => discord.calls(ROUTE).map(({ body }) => body as object[]),
    async [Symbol.asyncDispose]() {
      await database.close();
      await discord.stop();
    },
  };
}

describe("the commands", () => {
  it("are registered again only when they have changed", async () => {
    await using harness = await application();
    await publishCommands(harness.services, [GO], PERSISTENCE);
    await publishCommands(harness.services, [GO], PERSISTENCE);
    expect(harness.registered()).toEqual([[GO]]);
    await publishCommands(harness.services, [GO, STAY], PERSISTENCE);
    expect(harness.registered()).toEqual([[GO], [GO, STAY]]);
  });

  it("are registered for another application of the same data folder", async () => {
    await using one = await application();
    await using other = await application();
    await publishCommands(one.services, [GO], PERSISTENCE);
    await publishCommands({ ...other.services, memory: one.services.memory }, [GO], PERSISTENCE);
    expect(other.registered()).toEqual([[GO]]);
  });

  it("are registered as soon as Discord is there again", async () => {
    await using harness = await application();
    harness.discord.fails(ROUTE, { kind: "internal" });
    await publishCommands(harness.services, [GO], PERSISTENCE);
    expect(harness.registered()).toHaveLength(2);
    await publishCommands(harness.services, [GO], PERSISTENCE);
    expect(harness.registered()).toHaveLength(2);
  });

  it("are not pressed upon Discord when it does not take them", async () => {
    await using harness = await application();
    const bad = { name: "Not A Name", description: "Bad" };
    await publishCommands(harness.services, [bad], PERSISTENCE);
    expect(harness.registered()).toEqual([[bad]]);
    await publishCommands(harness.services, [GO], PERSISTENCE);
    expect(harness.registered()).toEqual([[bad], [GO]]);
  });
});
