import { type APIInteraction, InteractionType } from "discord.js";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { mountEndpoint } from "../../../adapters/discord/endpoint.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { listening } from "./endpoint-stage.ts";

const HELLO = { type: 4, data: { content: "Hello" } };
const CHOICES = { type: 8, data: { choices: [{ name: "Dance", value: "dance" }] } };
const GO = {
  name: "go",
  description: "Go",
  options: [{ type: 3, name: "where", description: "Where", autocomplete: true }],
};

/** A Discord that sends interactions to an endpoint, where each is answered by a call of its own. */
async function endpoint() {
  const discord = await FakeDiscord.start();
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, [GO]);
  const taken: APIInteraction[] = [];
  const routes = new Hono();
  mountEndpoint(routes, discord.publicKey, async (interaction) => {
    taken.push(interaction);
    const { id, token, type } = interaction;
    const answer = type === InteractionType.ApplicationCommandAutocomplete ? CHOICES : HELLO;
    await call(discord, `POST /interactions/${id}/${token}/callback`, answer);
  });
  const server = await listening(routes);
  return {
    discord,
    taken,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await discord.stop();
    },
  };
}

describe("interactions over HTTP", () => {
  it("are taken as over the gateway, and answered by a call", async () => {
    await using stage = await endpoint();
    await stage.discord.interactsOver(stage.url);
    const ann = stage.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("Hello");
    expect(await ann.types("/go", "where", "da")).toEqual([{ name: "Dance", value: "dance" }]);
    expect(stage.taken.map(({ type }) => type)).toEqual([
      InteractionType.ApplicationCommand,
      InteractionType.ApplicationCommandAutocomplete,
    ]);
  });

  it("need Discord's signature of time and body", async () => {
    await using stage = await endpoint();
    const { status } = await stage.discord.pings(stage.url, { forged: true });
    expect(status).toBe(401);
    const body = JSON.stringify({ type: InteractionType.ApplicationCommand });
    const signatures = [undefined, "", "00", "no hex", "00".repeat(64)];
    for (const signature of signatures) {
      const headers = {
        "x-signature-timestamp": "1700000000",
        ...(signature !== undefined && { "x-signature-ed25519": signature }),
      };
      expect((await fetch(stage.url, { method: "POST", headers, body })).status).toBe(401);
    }
    expect(stage.taken).toEqual([]);
  });

  it("that are far too large are not read", async () => {
    await using stage = await endpoint();
    const { status } = await fetch(stage.url, { method: "POST", body: "x".repeat(2 ** 20 + 1) });
    expect(status).toBe(413);
  });
});
