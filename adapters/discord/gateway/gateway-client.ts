import { Client, GatewayIntentBits, SimpleShardingStrategy, type WebSocketOptions } from "discord.js";
import type { DiscordConfig } from "../../../src/config.ts";
import { assignedShard } from "./shard.ts";

/** How long Discord may take to say where its gateway is, in milliseconds. */
const TIMEOUT_MS = 5_000;

type BuildStrategy = NonNullable<WebSocketOptions["buildStrategy"]>;

/**
 * A client of discord.js for one connection: with the shard that this process is to hold, else with as many as Discord
 * recommends.
 * @param ended aborted when it is to connect no more
 */
export function gatewayClient({ apiRoot }: DiscordConfig, ended: AbortSignal): Client {
  const shard = assignedShard();
  return new Client({
    // For GUILD_DELETE; interactions need none.
    intents: [GatewayIntentBits.Guilds],
    ...(shard ? { shards: shard.id, shardCount: shard.count } : { shards: "auto" }),
    // Nothing is kept of servers, so there is nothing to wait for.
    waitGuildTimeout: 0,
    rest: { retries: 0, timeout: TIMEOUT_MS, ...(apiRoot !== undefined && { api: apiRoot }) },
    ws: { buildStrategy: (manager) => strategy(manager, ended) },
  });
}

/** discord.js's own strategy, but no shard connects any more when the connection has ended. */
function strategy(manager: Parameters<BuildStrategy>[0], ended: AbortSignal): SimpleShardingStrategy {
  const { options } = manager;
  const sessionOf = options.retrieveSessionInfo.bind(options);
  // What a shard asks for before it connects: one that pauses before another attempt does not hear of the end.
  options.retrieveSessionInfo = (shard) => (ended.aborted ? new Promise(() => {}) : sessionOf(shard));
  return new SimpleShardingStrategy(manager);
}
