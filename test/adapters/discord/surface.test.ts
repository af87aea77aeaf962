import { InteractionResponseType, MessageFlags } from "discord.js";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { DiscordAddress } from "../../../adapters/discord/context/address.ts";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import { createDiscordSurface } from "../../../adapters/discord/surface.ts";
import { NO_BELL } from "../../../src/common/bell.ts";
import { ownRole } from "../../../src/common/role.ts";
import { readConfig } from "../../../src/app/config.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../src/infrastructure/media/files/links.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { intake, surfaceContract } from "../../contract/surface.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** Neither side minds how fast it goes. */
const PATIENT = { webhookRequests: 10_000, globalRequests: 10_000 };

const pictureBytes = Buffer.from("a picture");

/** A surface that was not started yet, over a Discord where Ann has asked for something in a server. */
async function asked({ isKnown = true } = {}) {
  const discord = await FakeDiscord.start({ limits: PATIENT });
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  const files = await openMediaFiles(join(data, "media"));
  const lines: string[] = [];
  const token = isKnown ? discord.token : discord.token.replace("fake", "fals");
  const config = readConfig({
    REELAY_DATA: data,
    DISCORD_BOT_TOKEN: token,
    DISCORD_API_ROOT: discord.url,
  });
  const surface = createDiscordSurface({
    config,
    log: makeLogger({ level: "info", destination: { write: (line) => void lines.push(line) } }),
    memory: (name) => memory(database, name),
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: (name) => memory(database, `${name}-sealed`),
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, memory(database, "links")),
    routes: new Hono(),
    leaving: new AbortController().signal,
    sandbox: true,
  });
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, [
    { name: "go", description: "Go" },
  ]);
  const ann = discord.person({ name: "Ann" });
  const channel = discord.guild({ name: "Films" }).channel();
  const using = ann.uses("/go", {}, { in: channel });
  await expect.poll(() => discord.interactions()).toHaveLength(1);
  const [{ id, token: key } = { id: "", token: "" }] = discord.interactions();
  await call(discord, `POST /interactions/${id}/${key}/callback`, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral },
  });
  await using;
  const address: DiscordAddress = {
    user: ann.user.id,
    channel: channel.id,
    inConversation: false,
    present: true,
    secret: false,
    fileLimit: DISCORD.file,
    locale: "en",
    asked: { id, token: key, until: Date.now() + DISCORD.tokenMs },
  };
  return {
    surface,
    discord,
    ann,
    channel,
    address,
    token,
    lines,
    files,
    async [Symbol.asyncDispose]() {
      await surface.stop();
      await database.close();
      await discord.stop();
    },
  };
}

surfaceContract("Discord", async () => {
  const harness = await asked();
  const { id } = await harness.files.put(Readable.from([pictureBytes]), 1_000);
  return {
    ...harness,
    picture: { surface: "discord", id },
    pictureBytes,
    gone: { surface: "discord", id: "0".repeat(64) },
    async filesOf() {
      const { ann, channel } = harness;
      return ann.chat({ in: channel }).flatMap(({ files }) => files.map(({ bytes }) => bytes));
    },
  };
});

const ended = { kind: "notice", text: { key: "job.cancelled" } } as const;

describe("Discord as a surface", () => {
  it("starts without a Discord that cannot be reached, and is there as soon as it can", async () => {
    await using harness = await asked();
    const { surface, address } = harness;
    harness.discord.fails("GET /applications/@me", { kind: "bad gateway" }, 2);
    const started = surface.start(intake);
    await expect.poll(() => harness.lines.join("")).toContain("cannot be reached");
    expect(surface.ready()).toBe(false);
    const early: unknown = await surface.deliver(address, ended).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(Error);
    expect(early).not.toMatchObject({ code: "undeliverable" });
    await started;
    expect(surface.ready()).toBe(true);
    await surface.deliver(address, ended);
    await harness.ann.sees("Cancelled");
  });

  it("does not start with a token that Discord does not know, and names the setting", async () => {
    await using harness = await asked({ isKnown: false });
    await expect(harness.surface.start(intake)).rejects.toThrow("DISCORD_BOT_TOKEN");
    expect(harness.lines.join("")).not.toContain(harness.token);
  });

  it("ends at once while it waits for Discord", async () => {
    await using harness = await asked();
    harness.discord.fails("GET /applications/@me", { kind: "bad gateway" }, 100);
    const started = harness.surface.start(intake);
    await expect.poll(() => harness.lines.join("")).toContain("cannot be reached");
    const before = harness.discord.calls().length;
    await harness.surface.stop();
    await started.catch(() => undefined);
    expect(harness.discord.calls()).toHaveLength(before);
  });
});
