import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { lookAtDiscord } from "../../../adapters/discord/doctor.ts";
import { mountEndpoint } from "../../../adapters/discord/endpoint.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { listening } from "./endpoint-harness.ts";

/** What the doctor says, where the settings differ from those that fit. */
async function examine({ token, url }: FakeDiscord, differing: { token?: string; publicKey?: string } = {}) {
  return (await lookAtDiscord({ token, apiRoot: url, publicKey: undefined, ...differing })).check;
}

/** Has interactions sent to an address. */
async function entersAddress(discord: FakeDiscord) {
  const routes = new Hono();
  mountEndpoint(routes, discord.publicKey, async () => {});
  const server = await listening(routes);
  await discord.interactsOver(server.url);
  return server;
}

describe("the doctor", () => {
  it("finds the bot over the gateway", async () => {
    await using discord = await FakeDiscord.start();
    const check = await examine(discord);
    expect(check).toMatchObject({
      name: "discord",
      ok: true,
      found: expect.stringMatching(/^Reelay, over the gateway/),
    });
    const invitation = new URL(/https:\S+/.exec(check.found)?.[0] ?? "");
    expect(Object.fromEntries(invitation.searchParams)).toMatchObject({
      client_id: discord.applicationId,
      scope: "bot applications.commands",
    });
  });

  it("finds the bot over HTTP", async () => {
    await using discord = await FakeDiscord.start();
    await using server = await entersAddress(discord);
    const { publicKey } = discord;
    expect(await examine(discord, { publicKey })).toMatchObject({
      ok: true,
      found: expect.stringContaining(`Reelay, by ${server.url}`),
    });
  });

  it("says that the token is wrong, without the token", async () => {
    await using discord = await FakeDiscord.start();
    const token = `${discord.token}x`;
    const check = await examine(discord, { token });
    expect(check).toMatchObject({ ok: false, advice: expect.stringContaining("DISCORD_BOT_TOKEN") });
    expect(JSON.stringify(check)).not.toContain(token);
  });

  it("says that the public key is another application's, and which it should be", async () => {
    await using discord = await FakeDiscord.start();
    await using other = await FakeDiscord.start();
    const check = await examine(discord, { publicKey: other.publicKey });
    expect(check).toMatchObject({ ok: false, advice: expect.stringContaining(discord.publicKey) });
  });

  it("says that interactions go another way than they are waited for", async () => {
    await using discord = await FakeDiscord.start();
    const { publicKey } = discord;
    expect(await examine(discord, { publicKey })).toMatchObject({
      ok: false,
      advice: expect.stringContaining("/discord/interactions"),
    });
    await using server = await entersAddress(discord);
    expect(await examine(discord)).toMatchObject({ ok: false, found: expect.stringContaining(server.url) });
  });

  it("says that Discord cannot be reached", async () => {
    await using discord = await FakeDiscord.start();
    discord.fails("GET /applications/@me", { kind: "bad gateway" });
    expect(await examine(discord)).toMatchObject({
      ok: false,
      found: "Discord answered 502",
      advice: expect.stringContaining("network"),
    });
  });
});
