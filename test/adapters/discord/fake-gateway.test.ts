import { Client, Events, GatewayIntentBits, type Interaction } from "discord.js";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { attachment } from "../../support/discord/attachment.ts";
import { connected, login } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";

const go = { name: "go", description: "Go" };

async function answer(interaction: Interaction): Promise<void> {
  if (interaction.isChatInputCommand()) await interaction.reply(`Shard ${interaction.guild?.shardId ?? 0}`);
}

describe("the gateway", () => {
  it("tells of servers, channels and messages, and of their end", async () => {
    await using bot = await connected();
    const { client, discord } = bot;
    const joined = once(client, Events.GuildCreate);
    const guild = discord.guild({ name: "Films" });
    await joined;
    const opened = once(client, Events.ChannelCreate);
    const channel = guild.channel({ name: "films", nsfw: true });
    await opened;
    expect(client.channels.cache.get(channel.id)).toMatchObject({ name: "films", nsfw: true });
    const heard = once(client, Events.MessageCreate);
    const ann = discord.person({ name: "Ann" });
    await ann.says("unheard", { in: channel });
    await ann.says("hello");
    expect(await heard).toMatchObject([{ content: "hello" }]);
    const denied = once(client, Events.ChannelUpdate);
    channel.denies("SendMessages");
    await denied;
    const me = client.guilds.cache.get(guild.id)?.members.me;
    expect(me?.permissionsIn(channel.id).has("SendMessages")).toBe(false);
    expect(me?.permissionsIn(channel.id).has("AttachFiles")).toBe(true);
    const closed = once(client, Events.ChannelDelete);
    channel.disappears();
    await closed;
    const left = once(client, Events.GuildDelete);
    guild.removesBot();
    expect(await left).toMatchObject([{ name: "Films" }]);
  });

  it("withholds what a message shows unless it mentions the bot, as long as its intents say no more", async () => {
    await using bot = await connected([], {}, [GatewayIntentBits.GuildMessages]);
    const { client, discord } = bot;
    const channel = discord.guild({ name: "Films" }).channel();
    const ann = discord.person({ name: "Ann" });
    const heard: { content: string; files: number; repliesTo: string | undefined }[] = [];
    client.on(Events.MessageCreate, ({ content, attachments, reference }) => {
      heard.push({ content, files: attachments.size, repliesTo: reference?.messageId });
    });
    const files = [attachment(Buffer.from("a"), "a.txt")];
    const first = await ann.says("to all", { in: channel, files });
    const mention = `<@${discord.applicationId}> look`;
    await ann.says(mention, { in: channel, files, replyTo: first });
    await expect
      .poll(() => heard)
      .toEqual([
        { content: "", files: 0, repliesTo: undefined },
        { content: mention, files: 1, repliesTo: first.id },
      ]);
    expect(client.channels.cache.get(channel.id)).toBeDefined();
  });

  it("repeats after a broken connection what was missed", async () => {
    await using bot = await connected([go]);
    bot.client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
    const ann = bot.discord.person({ name: "Ann" });
    bot.discord.gateway.drops();
    await ann.uses("/go");
    await ann.sees("Shard 0");
    expect(bot.discord.gateway).toMatchObject({ identifies: 1, resumes: 1 });
  });

  it("asks to reconnect, and makes clients identify anew", async () => {
    await using bot = await connected();
    const { gateway } = bot.discord;
    // discord.js stumbles over a session that ends before it has taken in RESUMED.
    const resumed = once(bot.client, Events.ShardResume);
    gateway.asksToReconnect();
    await resumed;
    const ready = once(bot.client, Events.ShardReady);
    gateway.invalidates();
    await ready;
    expect(gateway).toMatchObject({ identifies: 2, resumes: 1 });
  });

  it("refuses a wrong token and intents that are none", async () => {
    await using discord = await FakeDiscord.start();
    const client = new Client({ intents: [], rest: { api: discord.url } });
    await expect(client.login(`${discord.token}x`)).rejects.toThrow("An invalid token was provided");
  });

  it("gives each shard its own servers", async () => {
    await using discord = await FakeDiscord.start();
    discord.guild({ name: "One" });
    discord.guild({ name: "Two" });
    const client = new Client({
      intents: [GatewayIntentBits.Guilds],
      shardCount: 2,
      shards: [0, 1],
      rest: { api: discord.url },
    });
    const ready = once(client, Events.ClientReady);
    await client.login(discord.token);
    await ready;
    expect(discord.gateway.connected).toBe(2);
    expect(client.guilds.cache.map(({ name, shardId }) => [name, shardId])).toEqual([
      ["Two", 0],
      ["One", 1],
    ]);
    await client.destroy();
  });
});

/** How clients call a connection that breaks. */
const BROKEN = /ECONNRESET|other side closed/;

describe("faults", () => {
  it("strike the calls that a test names", async () => {
    await using bot = await connected();
    const route = "POST /channels/{channel_id}/messages";
    const { discord, client } = bot;
    const ann = discord.person({ name: "Ann" });
    const conversation = await client.users.createDM(ann.user.id);
    const send = () => conversation.send("x");
    discord.fails(route, { kind: "internal" });
    await expect(send()).rejects.toThrow("Internal Server Error");
    discord.fails(route, { kind: "bad gateway" });
    await expect(send()).rejects.toThrow("Bad Gateway");
    discord.fails(route, { kind: "reset before" });
    await expect(send()).rejects.toThrow(BROKEN);
    expect(ann.chat()).toEqual([]);
    discord.fails(route, { kind: "reset after" });
    await expect(send()).rejects.toThrow(BROKEN);
    expect(ann.chat()).toHaveLength(1);
    discord.fails(route, { kind: "rate limit", retryAfter: 0.05 });
    await send();
    expect(ann.chat()).toHaveLength(2);
    expect(discord.calls(route).map(({ error }) => error?.status)).toEqual([500, undefined, 429, undefined]);
  });
});

/** A bot without a gateway: checks signatures, unless it is careless. */
async function endpoint(
  publicKey: string,
  { careless = false, answersWith = {} }: { careless?: boolean; answersWith?: object } = {},
) {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(publicKey, "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const { "x-signature-timestamp": at = "", "x-signature-ed25519": hex = "" } = request.headers;
      const signed = Buffer.concat([Buffer.from(String(at)), body]);
      const isGood = careless || verify(null, signed, key, Buffer.from(String(hex), "hex"));
      const { type } = JSON.parse(String(body)) as { type: number };
      response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(type === 1 ? { type: 1 } : answersWith));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]: () => void server.close(),
  };
}

describe("interactions over HTTP", () => {
  it("are signed, and answered by what the endpoint returns", async () => {
    await using bot = await connected([go]);
    const { discord } = bot;
    using there = await endpoint(discord.publicKey, {
      answersWith: { type: 4, data: { content: "over HTTP" } },
    });
    expect((await discord.pings(there.url, { forged: true })).status).toBe(401);
    await discord.interactsOver(there.url);
    const ann = discord.person({ name: "Ann" });
    expect((await ann.uses("/go")).acknowledgedAfter).toBeLessThan(3000);
    await ann.sees("over HTTP");
  });

  it("tell why an answer was not taken", async () => {
    await using bot = await connected([go]);
    using there = await endpoint(bot.discord.publicKey, { answersWith: { type: 4, data: {} } });
    await bot.discord.interactsOver(there.url);
    const ann = bot.discord.person({ name: "Ann" });
    const used = ann.uses("/go");
    used.catch(() => {});
    await bot.discord.until(() => bot.discord.interactions().some(({ isRefused }) => isRefused));
    bot.discord.passTime(3000);
    await expect(used).rejects.toThrow("Cannot send an empty message");
  });

  it("are not sent to an endpoint that takes bad signatures", async () => {
    await using discord = await FakeDiscord.start();
    using there = await endpoint(discord.publicKey, { careless: true });
    await expect(discord.interactsOver(there.url)).rejects.toThrow("200 to a bad signature");
  });
});

it("bears five hundred interactions in five seconds", async () => {
  await using bot = await connected([go], { lean: true });
  bot.client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  const people = Array.from({ length: 500 }, (_, index) => bot.discord.person({ name: `Person${index}` }));
  // Ten times as fast as it is promised: the fake must not be what is slow.
  await bot.discord.spread(500, 500, (index) => people[index]?.uses("/go") ?? Promise.reject(new Error()));
  const times = bot.discord.interactions().map(({ acknowledgedAfter = Infinity }) => acknowledgedAfter);
  expect(times).toHaveLength(500);
  expect(Math.max(...times)).toBeLessThan(3000);
  expect(bot.discord.calls()).toEqual([]);
});

it("takes a second client, as another process would be", async () => {
  await using bot = await connected([go]);
  const other = await login(bot.discord);
  expect(bot.discord.gateway.connected).toBe(2);
  await other.stop();
});
