/** reference, "Snowflakes": milliseconds since 2015, then what tells apart the ids of one millisecond. */
const DISCORD_EPOCH = 1_420_070_400_000;
const PER_MILLISECOND = 1n << 22n;

/** Hands out ids: later ones are larger, and none is handed out twice. */
export class Snowflakes {
  #last = 0n;
  #guilds = 0n;

  /** @param now milliseconds since 1970 */
  next(now: number): string {
    const first = BigInt(Math.floor(now) - DISCORD_EPOCH) * PER_MILLISECOND;
    this.#last = first > this.#last ? first : this.#last + 1n;
    return String(this.#last);
  }

  /** A guild's id decides on its shard: each next guild falls to the next shard. */
  nextGuild(): string {
    this.#guilds += 1n;
    return String((100_000_000_000n + this.#guilds) * PER_MILLISECOND);
  }
}

/** topics/gateway, "Sharding". */
export const shardOf = (guildId: string, shards: number): number =>
  Number((BigInt(guildId) / PER_MILLISECOND) % BigInt(shards));
