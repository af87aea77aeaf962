import { type APIInteraction, ShardClientUtil } from "discord.js";

interface ShardNumber {
  readonly id: number;
  readonly count: number;
}

/** The shard that a process of discord.js's `ShardingManager` is to hold, by the environment it was started with. */
export function assignedShard(): ShardNumber | undefined {
  const { SHARDING_MANAGER, SHARDS, SHARD_COUNT } = process.env;
  return SHARDING_MANAGER === undefined ? undefined : { id: Number(SHARDS), count: Number(SHARD_COUNT) };
}

/**
 * Whether an interaction falls to this process: what several have left in one data folder, one of them takes up.
 * Direct messages fall to the first shard (topics/gateway, "Sharding").
 */
export function isOurs({ guild_id }: Pick<APIInteraction, "guild_id">): boolean {
  const shard = assignedShard();
  if (!shard) return true;
  return shard.id === (guild_id === undefined ? 0 : ShardClientUtil.shardIdForGuildId(guild_id, shard.count));
}

/**
 * Tells the `ShardingManager` that started this process how its shard is, as discord.js's own client does; nobody else, who
 * may have started it with a channel for something of their own.
 */
export function reportToManager(state: { readonly _ready: true } | { readonly _reconnecting: true }): void {
  if (assignedShard()) process.send?.(state);
}
