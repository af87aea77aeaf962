import { type APIGatewayBotInfo, Routes, type Shard, ShardingManager } from "discord.js";
import { once } from "node:events";
import type { ShardCount } from "../../../src/seam/surface/runtime.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import type { DiscordConfig, SurfaceConfig } from "../../../src/seam/config.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { persist, sleep } from "../../../src/common/time.ts";
import { persistently, tellGivenUp } from "../api/application.ts";
import { restFor } from "../api/rest.ts";
import { askNumbers } from "./shard-numbers.ts";

/**
 * topics/gateway, "Rate Limiting": as many shards as `max_concurrency` may identify within five seconds, in
 * milliseconds; and a little more, because processes do not all start equally fast.
 */
const IDENTIFY_MS = 5_500;

interface ShardsOptions {
  readonly log: Logger;
  /** The file that is run for each, with `shard` as its argument. */
  readonly program: string;
  readonly count: ShardCount;
}

interface ShardsParts extends ShardsOptions {
  readonly config: DiscordConfig;
}

/** @throws ConfigError where there is no connection to Discord's gateway to be divided */
export function shardsFor({ discord }: SurfaceConfig, options: ShardsOptions): Shards {
  if (!discord) throw mistake("DISCORD_BOT_TOKEN", "nothing", "the bot's token, because --shards was given");
  if (discord.publicKey !== undefined)
    throw mistake("DISCORD_PUBLIC_KEY", "a key", "nothing, because --shards divides a gateway connection");
  return new Shards({ ...options, config: discord });
}

const mistake = (setting: string, found: string, wanted: string) =>
  new ConfigError([{ setting, found, wanted }]);

/** Discord in processes of its own, a shard each, by discord.js's `ShardingManager`. */
export class Shards {
  readonly name = "discord";
  readonly #parts: ShardsParts;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  #manager: ShardingManager | undefined;

  constructor(parts: ShardsParts) {
    this.#parts = parts;
  }

  get #persistence() {
    return { log: this.#parts.log, signal: this.#stop.signal };
  }

  /** Whether all shards are connected. */
  ready(): boolean {
    const manager = this.#manager;
    if (!manager) return false;
    return manager.shards.size === manager.totalShards && manager.shards.every(({ ready }) => ready);
  }

  /** What each of the processes has counted that says so. */
  async counted(): Promise<readonly { readonly shard: string; readonly counted: unknown }[]> {
    const shards = [...(this.#manager?.shards.values() ?? [])];
    const asked = shards.map(async ({ id, process: running }) => ({
      shard: String(id),
      counted: running && (await askNumbers(running)),
    }));
    return Promise.all(asked);
  }

  /** Starts one process after the other, and each again when it ends. Waits for none. */
  start(): void {
    this.#running.push(this.#startAll().catch(tellGivenUp(this.#persistence)));
  }

  /** Ends all processes, and waits until they have. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const shard of this.#manager?.shards.values() ?? []) shard.process?.kill();
    await Promise.all(this.#running);
  }

  async #startAll(): Promise<void> {
    const { program, count } = this.#parts;
    const { signal } = this.#stop;
    // discord.js's own question for it goes to Discord's own host only.
    const { shards, session_start_limit: limit } = await this.#gateway();
    const totalShards = count === "auto" ? shards : count;
    this.#manager = new ShardingManager(program, { totalShards, shardArgs: ["shard"], respawn: false });
    // It hands a token on to its processes that way, which have it from the settings.
    delete process.env["DISCORD_TOKEN"];
    for (let id = 0; id < totalShards; id++) {
      if (id > 0) await sleep(IDENTIFY_MS / limit.max_concurrency, signal);
      const shard = this.#manager.createShard(id);
      // discord.js would hand on everything that this process was given.
      shard.env = { ...shardEnvironment(process.env), ...numbersOf(id, totalShards) };
      this.#running.push(this.#keepRunning(shard));
    }
  }

  async #gateway(): Promise<APIGatewayBotInfo> {
    const { signal } = this.#stop;
    const rest = restFor(this.#parts.config);
    const ask = async () => (await rest.get(Routes.gatewayBot(), { signal })) as APIGatewayBotInfo;
    return persistently(ask, this.#persistence);
  }

  /** The manager's own respawning knows no pause: a process that cannot start would start for ever. */
  async #keepRunning(shard: Shard): Promise<void> {
    const { log } = this.#parts;
    const { signal } = this.#stop;
    const run = async () => {
      const [code, killedBy] = await once(await shard.spawn(-1), "exit");
      throw new Error(`The process ended with ${code ?? killedBy}`);
    };
    await persist(run, {
      signal,
      onFailure: (err, pauseMs) =>
        log.warn({ err, shard: shard.id, pauseMs }, "A shard of Discord ended; it is started again"),
    }).catch(() => undefined);
  }
}

/** What discord.js tells a shard's process of itself. */
const numbersOf = (id: number, count: number) => ({
  SHARDING_MANAGER: "true",
  SHARDING_MANAGER_MODE: "process",
  SHARDS: String(id),
  SHARD_COUNT: String(count),
});

/** What a process that runs a shard is told: settings that a core or Discord needs, and how this machine is reached. */
const FOR_SHARDS =
  /^(?:REELAY_(?!TOKEN$).*|DISCORD_(?!TOKEN$).*|PATH|HOME|TZ|LANG|LC_ALL|TMPDIR|TEMP|TMP|SystemRoot|LD_LIBRARY_PATH|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|(?:HTTPS?|NO)_PROXY)$/i;

/** The environment of a shard's process: other platforms' tokens and what is not ours at all stay here. */
export function shardEnvironment(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(all).filter(([name]) => FOR_SHARDS.test(name)));
}
