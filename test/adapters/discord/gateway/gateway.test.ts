import { type APIInteraction, GatewayCloseCodes } from "discord.js";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Gateway } from "../../../../adapters/discord/gateway/gateway.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { call } from "../../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../../support/discord/fake-discord.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** What may differ from an ordinary connection. */
interface ConnectionOptions {
  readonly token?: string;
  /** Where Discord is thought to be. */
  readonly apiRoot?: string;
}

/** A Discord with one command, and a connection to its gateway that says "Hello" to every interaction. */
async function connection(
  discord: FakeDiscord,
  { token = discord.token, apiRoot = discord.url }: ConnectionOptions = {},
) {
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, [
    { name: "go", description: "Go" },
  ]);
  const lines: string[] = [];
  const left: string[] = [];
  const gateway = new Gateway({
    config: { token, apiRoot, publicKey: undefined },
    log: makeLogger({ level: "info", destination: { write: (line) => void lines.push(line) } }),
    onInteraction: (interaction: APIInteraction) =>
      void call(discord, `POST /interactions/${interaction.id}/${interaction.token}/callback`, {
        type: 4,
        data: { content: "Hello" },
      }),
    onMessage: () => {},
    onLeft: (guild) => void left.push(guild),
  });
  return {
    gateway,
    left,
    log: () => lines.map((line) => JSON.parse(line) as { level: string; msg: string; shard?: number }),
    [Symbol.asyncDispose]: () => gateway.stop(),
  };
}

/** A Discord that waits for an answer as long as a test does. */
const PATIENT = { limits: { firstAnswerMs: PATIENCE_MS } };

/** Waits until something is so. */
const becomes = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: PATIENCE_MS });

/** Somebody is answered. */
async function answers(discord: FakeDiscord): Promise<void> {
  const person = discord.person({ name: "Ann" });
  await person.uses("/go");
  await person.sees("Hello");
}

/** Stands before a Discord, and refuses the first connections to its gateway, as a proxy does that finds it away. */
async function door(discord: FakeDiscord, refusals: number) {
  const { port, hostname } = new URL(discord.url);
  let knocks = 0;
  const server = createServer((_, response) => {
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const session_start_limit = { total: 1000, remaining: 1000, reset_after: 1000, max_concurrency: 1 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ url, shards: 1, session_start_limit }));
  });
  server.on("upgrade", (request, socket, head) => {
    knocks += 1;
    if (knocks <= refusals) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const through = connect(Number(port), hostname);
    const headers = request.rawHeaders.map((word, index) => word + (index % 2 === 0 ? ": " : "\r\n"));
    through.write(`GET ${request.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
    through.write(head);
    return socket.pipe(through).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    knocks: () => knocks,
    [Symbol.dispose]: () => void server.close(),
  };
}

afterEach(() => void vi.useRealTimers());

describe("the gateway", () => {
  it("brings interactions in, and tells of servers that the bot was taken out of", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    const [films, broken] = [discord.guild({ name: "Films" }), discord.guild({ name: "Broken" })];
    await using harness = await connection(discord);
    expect(harness.gateway.ready).toBe(false);
    await harness.gateway.start();
    expect(harness.gateway.ready).toBe(true);
    await answers(discord);
    broken.fails();
    films.removesBot();
    await becomes(() => harness.left.length > 0);
    expect(harness.left).toEqual([films.id]);
  });

  it("holds as many shards as Discord recommends", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    discord.gateway.recommendedShards = 3;
    await using harness = await connection(discord);
    await harness.gateway.start();
    expect(discord.gateway.connected).toBe(3);
    await answers(discord);
  });

  it("takes what came in while the connection was broken, and tells of the loss once", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    await using harness = await connection(discord);
    await harness.gateway.start();
    discord.gateway.drops();
    await becomes(() => !harness.gateway.ready);
    await answers(discord);
    expect(discord.gateway).toMatchObject({ identifies: 1, resumes: 1 });
    await becomes(() => harness.gateway.ready);
    expect(harness.log().map(({ level, shard }) => [level, shard])).toEqual([
      ["info", 0],
      ["warn", 0],
      ["info", 0],
    ]);
  });

  it("begins a new session where the old one ended right behind being resumed", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    await using harness = await connection(discord);
    await harness.gateway.start();
    // Between two sessions discord.js waits until five seconds have passed.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    discord.gateway.asksToReconnect();
    await discord.until(() => discord.gateway.resumes === 1);
    discord.gateway.invalidates();
    await discord.until(() => discord.gateway.identifies === 2);
    await answers(discord);
    expect(harness.gateway.ready).toBe(true);
  });

  it("connects anew with more shards when Discord wants more", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    await using harness = await connection(discord);
    await harness.gateway.start();
    discord.gateway.recommendedShards = 2;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    discord.gateway.drops(GatewayCloseCodes.ShardingRequired);
    await becomes(() => harness.log().some(({ msg }) => msg.includes("trying again")));
    await vi.advanceTimersByTimeAsync(500);
    await becomes(() => harness.gateway.ready);
    expect(discord.gateway.connected).toBe(2);
  });
});

describe("a token that Discord does not know", () => {
  it("is said once, and not tried again", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    await using harness = await connection(discord, { token: `${discord.token}x` });
    await harness.gateway.start();
    expect(harness.gateway.ready).toBe(false);
    expect(harness.log()).toMatchObject([
      { level: "error", msg: expect.stringContaining("DISCORD_BOT_TOKEN") },
    ]);
  });

  it("is said when it was taken back while connected", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    await using harness = await connection(discord);
    await harness.gateway.start();
    discord.gateway.drops(GatewayCloseCodes.AuthenticationFailed);
    await becomes(() => harness.log().some(({ level }) => level === "error"));
    expect(harness.gateway.ready).toBe(false);
    expect(discord.gateway.connected).toBe(0);
  });
});

describe("while Discord is away", () => {
  it("tries again, ever more slowly", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    discord.fails("GET /gateway/bot", { kind: "bad gateway" }, 2);
    discord.fails("GET /gateway/bot", { kind: "reset before" });
    await using harness = await connection(discord);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const started = harness.gateway.start();
    for (const [failures, pauseMs] of [500, 1_000, 2_000].entries()) {
      await becomes(() => harness.log().length > failures);
      await vi.advanceTimersByTimeAsync(pauseMs);
    }
    await started;
    await answers(discord);
    expect(harness.log()).toMatchObject([
      { level: "warn", pauseMs: 500 },
      { level: "warn", pauseMs: 1_000 },
      { level: "warn", pauseMs: 2_000 },
      { level: "info", shard: 0 },
    ]);
  });

  it("tries its gateway again where its API is there", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    using before = await door(discord, 1);
    await using harness = await connection(discord, { apiRoot: before.url });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const started = harness.gateway.start();
    await becomes(() => harness.log().length > 0);
    await vi.advanceTimersByTimeAsync(500);
    await started;
    expect(before.knocks()).toBe(2);
    await answers(discord);
  });

  it("can be given up at any time", async () => {
    await using discord = await FakeDiscord.start(PATIENT);
    using before = await door(discord, Infinity);
    await using harness = await connection(discord, { apiRoot: before.url });
    const started = harness.gateway.start();
    await becomes(() => before.knocks() === 1);
    await harness.gateway.stop();
    await started;
    // discord.js would try again after half a second, by a timer that cannot be faked.
    await pause(700);
    expect(before.knocks()).toBe(1);
    expect(harness.gateway.ready).toBe(false);
  });
});
