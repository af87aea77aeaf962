import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isOurs } from "../../../../adapters/discord/gateway/shard.ts";
import { shardsFor } from "../../../../adapters/discord/gateway/sharding.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { Child } from "../../../support/crash-child.ts";
import { history, post } from "../../web/support/client.ts";
import { APP, cookieOf, signIn } from "../../web/support/visitor.ts";
import { FakeDiscord } from "../../../support/discord/fake-discord.ts";
import { freePort } from "../../../support/free-port.ts";
import { readMetrics, sumOf } from "../../../support/metrics.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** Waits until something is so. */
const becomes = (isSo: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: PATIENCE_MS, interval: 100 });

/** Reelay with Discord in as many processes as Discord recommends, and a server for each shard. */
async function sharded(recommended: number, settings: Readonly<Record<string, string>> = {}) {
  // Whether an answer is there in three seconds depends on the machine.
  const discord = await FakeDiscord.start({ limits: { firstAnswerMs: PATIENCE_MS } });
  discord.gateway.recommendedShards = recommended;
  const guilds = Array.from({ length: recommended }, (_, nth) => discord.guild({ name: `Server ${nth}` }));
  const data = temporaryFolder();
  const env = { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_ROOT: discord.url, ...settings };
  const child = new Child({ data, env }, ["start", "--shards", "auto"]);
  const isReady = async () => (await fetch(`${await child.url}/readyz`)).ok;
  return {
    discord,
    child,
    /** Waits until all shards are connected, as Reelay itself says. */
    ready: () => becomes(isReady),
    /** The numbers of the processes besides the server's. */
    pids(): readonly number[] {
      using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
      const runners = database.prepare("SELECT pid FROM runners").all();
      return runners.map(({ pid }) => Number(pid)).filter((pid) => pid !== child.pid);
    },
    /** Somebody in each server is answered. */
    async answers() {
      for (const guild of guilds) {
        const person = discord.person({ name: `In ${guild.name}` });
        await person.uses("/help", {}, { in: guild.channel({ name: "films" }) });
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await discord.stop();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("Discord in several processes", () => {
  it("answers in every server, goes on when one is killed, and ends with the server", async () => {
    await using harness = await sharded(2);
    await harness.ready();
    expect(harness.discord.gateway.connected).toBe(2);
    await harness.answers();
    const [shard = 0] = harness.pids();
    process.kill(shard, "SIGKILL");
    await becomes(() => harness.discord.gateway.connected === 1);
    await becomes(() => harness.discord.gateway.identifies === 3);
    await harness.ready();
    await harness.answers();
    harness.child.stop();
    expect(await harness.child.ended()).toBe(0);
    expect(harness.discord.gateway.connected).toBe(0);
  });

  it("counts what each process does for whoever asks for numbers", async () => {
    const port = String(await freePort());
    const token = "a-token-for-numbers";
    await using harness = await sharded(2, { REELAY_PORT: port, REELAY_METRICS_TOKEN: token });
    await harness.ready();
    const numbers = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return readMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text());
    };
    // Each asks the service what was made before it, to learn from that.
    const requests = async (shard: string) =>
      sumOf(await numbers(), "reelay_service_requests_total", { shard });
    await becomes(async () => (await requests("0")) > 0 && (await requests("1")) > 0);
    expect((await numbers()).get("reelay_storage_up")).toBe(1);
  });

  it("posts in somebody's chat what they made on their page, which is in another process than their chat", async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    await using harness = await sharded(1, { REELAY_PORT: port, REELAY_PUBLIC_URL: url });
    await harness.ready();
    const ann = harness.discord.person({ name: "Ann" });
    await ann.uses("/studio", {}, { in: ann.conversation });
    const { controls } = await ann.sees("This is your own page");
    const [, ticket = ""] = /#in=([\w.-]+)/.exec(JSON.stringify(controls)) ?? [];
    const cookie = { cookie: cookieOf(await signIn(url, { ticket })) };
    const said = async (kind: string) =>
      (await history(url, cookie, APP)).find(({ body }) => body.kind === kind)?.body;
    const order = { values: { prompt: "a lighthouse" }, agreed: ["terms"] };
    await post(url, `${APP}/web/command/image`, order, cookie);
    await becomes(async () => (await said("result")) !== undefined);
    const made = await said("result");
    const job = made?.kind === "result" ? made.job.id : "";
    await post(url, `${APP}/web/act`, { token: `send:${job}` }, cookie);
    expect(await said("notice")).toMatchObject({ text: { key: "send.done" } });
    expect((await ann.sees("done")).channelId).toBe(ann.conversation.id);
  });

  it("is ready when Discord is back, and leaves no process behind when the server is killed", async () => {
    await using harness = await sharded(1);
    // The server has asked how many processes there should be; now its process asks.
    await becomes(() => harness.discord.calls("GET /gateway/bot").length === 1);
    harness.discord.fails("GET /gateway/bot", { kind: "bad gateway" });
    await harness.ready();
    expect(harness.child.output).toContain("trying again");
    const pids = harness.pids();
    expect(pids.map(isAlive)).toEqual([true]);
    harness.child.kill();
    await becomes(() => harness.discord.gateway.connected === 0 && !pids.some(isAlive));
  });
});

/** The processes of a Discord, before any was started. */
function shards(discord: FakeDiscord, token = discord.token) {
  const lines: string[] = [];
  const log = makeLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const config = readConfig({ DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: discord.url });
  const made = shardsFor(config, { log, program: "/nowhere", count: "auto" });
  return {
    shards: made,
    log: () => lines.map((line) => JSON.parse(line) as { level: string; msg: string }),
    [Symbol.asyncDispose]: () => made.stop(),
  };
}

describe("the processes of Discord", () => {
  it("are not started with a token that Discord does not know", async () => {
    await using discord = await FakeDiscord.start();
    await using harness = shards(discord, `${discord.token}x`);
    harness.shards.start();
    await becomes(() => harness.log().length > 0);
    expect(harness.log()).toMatchObject([
      { level: "error", msg: expect.stringContaining("DISCORD_BOT_TOKEN") },
    ]);
    expect(harness.shards.ready()).toBe(false);
  });

  it("wait for a Discord that is away, and can be stopped meanwhile", async () => {
    await using discord = await FakeDiscord.start();
    discord.fails("GET /gateway/bot", { kind: "bad gateway" }, 100);
    await using harness = shards(discord);
    harness.shards.start();
    await becomes(() => harness.log().length > 0);
    expect(harness.log()).toMatchObject([{ level: "warn", msg: expect.stringContaining("trying again") }]);
    await harness.shards.stop();
  });

  it.each([
    { DISCORD_BOT_TOKEN: undefined, wrong: "DISCORD_BOT_TOKEN" },
    { DISCORD_BOT_TOKEN: "a.b.c", DISCORD_PUBLIC_KEY: "0".repeat(64), wrong: "DISCORD_PUBLIC_KEY" },
  ])("need a gateway connection: $wrong", ({ wrong, ...env }) => {
    const options = { log: makeLogger({ level: "silent" }), program: "/nowhere", count: 2 };
    expect(() => shardsFor(readConfig(env), options)).toThrow(wrong);
  });
});

describe("what several processes have left in one data folder", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("is taken up by one of them each", () => {
    const places = [{}, { guild_id: String(4n << 22n) }, { guild_id: String(5n << 22n) }];
    expect(places.map(isOurs)).toEqual([true, true, true]);
    vi.stubEnv("SHARDING_MANAGER", "true");
    vi.stubEnv("SHARD_COUNT", "2");
    vi.stubEnv("SHARDS", "0");
    expect(places.map(isOurs)).toEqual([true, true, false]);
    vi.stubEnv("SHARDS", "1");
    expect(places.map(isOurs)).toEqual([false, false, true]);
  });
});
