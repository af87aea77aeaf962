import { type APIInteraction, InteractionType } from "discord.js";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ENDPOINT_PATH, mountEndpoint } from "../../../adapters/discord/endpoint.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { STANDS_STILL } from "../../support/telegram/clock.ts";
import { SigningKey } from "../../support/discord/endpoint.ts";
import { listening } from "./endpoint-harness.ts";

const HELLO = { type: 4, data: { content: "Hello" } };
const CHOICES = { type: 8, data: { choices: [{ name: "Dance", value: "dance" }] } };
const GO = {
  name: "go",
  description: "Go",
  options: [{ type: 3, name: "where", description: "Where", autocomplete: true }],
};

/** A Discord that sends interactions to an endpoint, where each is answered by a call of its own. */
async function endpoint() {
  const discord = await FakeDiscord.start({ timeScale: STANDS_STILL });
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
    await using harness = await endpoint();
    await harness.discord.interactsOver(harness.url);
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/go");
    await ann.sees("Hello");
    expect(await ann.types("/go", "where", "da")).toEqual([{ name: "Dance", value: "dance" }]);
    expect(harness.taken.map(({ type }) => type)).toEqual([
      InteractionType.ApplicationCommand,
      InteractionType.ApplicationCommandAutocomplete,
    ]);
  });

  it("need Discord's signature of time and body", async () => {
    await using harness = await endpoint();
    const { status } = await harness.discord.pings(harness.url, { forged: true });
    expect(status).toBe(401);
    const body = JSON.stringify({ type: InteractionType.ApplicationCommand });
    const signatures = [undefined, "", "00", "no hex", "00".repeat(64)];
    for (const signature of signatures) {
      const headers = {
        "x-signature-timestamp": String(Math.floor(Date.now() / 1000)),
        ...(signature !== undefined && { "x-signature-ed25519": signature }),
      };
      expect((await fetch(harness.url, { method: "POST", headers, body })).status).toBe(401);
    }
    expect(harness.taken).toEqual([]);
  });

  it("that are far too large are not read", async () => {
    await using harness = await endpoint();
    const { status } = await fetch(harness.url, { method: "POST", body: "x".repeat(2 ** 20 + 1) });
    expect(status).toBe(413);
  });

  const PRESSED = { id: "1100000000000000001", type: InteractionType.MessageComponent, token: "t" };

  it.each([
    [-86_400, 401],
    [-301, 401],
    [-299, 202],
    [0, 202],
    [299, 202],
    [301, 401],
    [86_400, 401],
  ])("with a signature %i s from now are answered with %i", async (seconds, status) => {
    const at = signing();
    expect(await at.post(JSON.stringify(PRESSED), { timestamp: String(NOW / 1000 + seconds) })).toBe(status);
    expect(at.taken).toHaveLength(status === 202 ? 1 : 0);
  });

  it.each(["", "soon", "-1", "1e9", " 1", "9".repeat(40), "NaN", "1700000000.5"])(
    "with the time stamp %j are refused, though they are signed",
    async (timestamp) => {
      expect(await signing().post(JSON.stringify(PRESSED), { timestamp })).toBe(401);
    },
  );

  it.each([
    "",
    "{",
    "null",
    "[]",
    "7",
    "\u0000",
    "{}",
    JSON.stringify({ ...PRESSED, id: 7 }),
    JSON.stringify({ ...PRESSED, id: "no number" }),
    JSON.stringify({ ...PRESSED, type: "3" }),
    JSON.stringify({ ...PRESSED, type: 99 }),
    JSON.stringify({ ...PRESSED, token: null }),
    "[".repeat(100_000),
  ])("that make no sense are answered with 400, though they are signed: %#", async (body) => {
    const at = signing();
    expect(await at.post(body)).toBe(400);
    expect(at.taken).toEqual([]);
  });

  it.each(["", "00", "g".repeat(128), "00".repeat(64), "00".repeat(65), "é".repeat(64)])(
    "with %j for a signature are refused",
    async (signature) => {
      expect(await signing().post(JSON.stringify(PRESSED), { signature })).toBe(401);
    },
  );

  it("are dealt with once, however often the same request comes", async () => {
    const at = signing();
    for (let count = 0; count < 3; count++) expect(await at.post(JSON.stringify(PRESSED))).toBe(202);
    expect(await at.post(JSON.stringify({ ...PRESSED, id: "1100000000000000002" }))).toBe(202);
    expect(at.taken.map(({ id }) => id)).toEqual([PRESSED.id, "1100000000000000002"]);
  });
});

const NOW = Date.UTC(2026, 0, 30, 12);

/** An endpoint whose clock stands still, and whoever holds Discord's key. */
function signing() {
  const key = new SigningKey();
  const taken: APIInteraction[] = [];
  const routes = new Hono();
  mountEndpoint(
    routes,
    key.publicKey,
    async (interaction) => void taken.push(interaction),
    () => NOW,
  );
  return {
    taken,
    /** Sends a body, signed unless told otherwise. Returns the answer's status. */
    async post(body: string, said: { readonly timestamp?: string; readonly signature?: string } = {}) {
      const { timestamp = String(NOW / 1000), signature = key.sign(timestamp, body) } = said;
      const headers = new Headers({ "x-signature-timestamp": timestamp });
      // As bytes: Headers take no others.
      headers.set("x-signature-ed25519", Buffer.from(signature).toString("latin1"));
      return (await routes.request(ENDPOINT_PATH, { method: "POST", headers, body })).status;
    },
  };
}
