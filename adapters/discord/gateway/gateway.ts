import {
  type APIInteraction,
  type Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  Status,
} from "discord.js";
import type { DiscordConfig } from "../../../src/config.ts";
import type { Logger } from "../../../src/telemetry.ts";
import { atMost, persist } from "../../../src/time.ts";
import { presentable } from "../api/errors.ts";
import { gatewayClient } from "./gateway-client.ts";

/** What is logged once, where trying again would not help. */
export const UNKNOWN_TOKEN = "Discord does not know the bot's token: set DISCORD_BOT_TOKEN, and start again";

/** How long Discord may take to take a farewell, in milliseconds. */
const FAREWELL_MS = 2_000;

interface GatewayParts {
  readonly config: DiscordConfig;
  readonly log: Logger;
  readonly onInteraction: (interaction: APIInteraction) => void;
  /** The bot was taken out of a server, or the server is no more. */
  readonly onLeft: (guild: string) => void;
}

/** The gateway ended a connection in a way that the same connection does not get over. */
class Ended extends Error {
  override readonly name = "Ended";
  readonly code: GatewayCloseCodes;

  constructor(code: GatewayCloseCodes) {
    super(`Discord ended the connection: ${GatewayCloseCodes[code] ?? code}`);
    this.code = code;
  }
}

/**
 * Discord's gateway by discord.js, which keeps the connections: heartbeats, resumes, a shard or as many as Discord
 * recommends. In a process of discord.js's `ShardingManager` it is the shard that the manager wants.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #stop = new AbortController();
  /** Shards without a connection: a loss is told once. */
  readonly #lost = new Set<number>();
  #client: Client | undefined;
  #running = Promise.resolve();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** Whether all shards are connected. */
  get ready(): boolean {
    const shards = this.#client?.ws.shards;
    return shards !== undefined && shards.size > 0 && shards.every(({ status }) => status === Status.Ready);
  }

  /**
   * Connects, and connects again whenever that is needed.
   * @returns when it is connected for the first time, or will never be, because Discord does not know the token
   */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = this.#keepConnected(resolve).finally(resolve);
    return promise;
  }

  /** Says goodbye, in bounded time; nothing comes in any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #keepConnected(onReady: () => void): Promise<void> {
    const { log } = this.#parts;
    const { signal } = this.#stop;
    try {
      await persist(() => this.#connection(onReady), {
        signal,
        onFailure(error, pauseMs) {
          if (isUnknownToken(error)) throw error;
          log.warn({ err: presentable(error), pauseMs }, "Discord cannot be reached; trying again");
        },
      });
    } catch {
      if (signal.aborted) return;
      log.error(UNKNOWN_TOKEN);
    }
  }

  /**
   * One connection, from its beginning to its end.
   * @throws why it ended: Ended, discord.js's errors, or the signal's reason
   */
  async #connection(onReady: () => void): Promise<void> {
    const { signal } = this.#stop;
    const { promise: end, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const ended = new AbortController();
    const client = gatewayClient(this.#parts.config, ended.signal);
    client.once(Events.ClientReady, onReady);
    client.on(Events.ShardDisconnect, ({ code }) => reject(new Ended(code)));
    this.#hear(client);
    this.#client = client;
    try {
      await Promise.all([client.login(this.#parts.config.token), end]);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#client = undefined;
      this.#lost.clear();
      ended.abort();
      client.removeAllListeners();
      await atMost(FAREWELL_MS, client.destroy());
    }
  }

  #hear(client: Client): void {
    const { log, onInteraction, onLeft } = this.#parts;
    // discord.js tells its manager by itself, but of the first client of a process only.
    const report = (state: object) => void client.shard?.send(state).catch(() => undefined);
    client.on(Events.ShardReconnecting, (shard) => {
      report({ _reconnecting: true });
      if (this.#lost.has(shard)) return;
      this.#lost.add(shard);
      log.warn({ shard }, "The connection to Discord was lost; it is being made again");
    });
    const found = (shard: number) => {
      report({ _ready: true });
      this.#lost.delete(shard);
      log.info({ shard }, "Connected to Discord");
    };
    client.on(Events.ShardReady, found);
    client.on(Events.ShardResume, found);
    client.on(Events.Raw, (event: GatewayDispatchPayload, shard: number) => {
      if (event.t === GatewayDispatchEvents.Ready) return;
      if (event.t === GatewayDispatchEvents.InteractionCreate) onInteraction(event.d);
      if (event.t === GatewayDispatchEvents.GuildDelete && !event.d.unavailable) onLeft(event.d.id);
      if (event.t === GatewayDispatchEvents.Resumed) client.emit(Events.ShardResume, shard, 0);
      // discord.js would keep servers and channels in memory and build objects of it, which nobody uses; and it
      // fails over a session that ends right behind RESUMED.
      Object.assign(event, { t: undefined });
    });
  }
}

function isUnknownToken(error: unknown): boolean {
  if (error instanceof Ended) return error.code === GatewayCloseCodes.AuthenticationFailed;
  return error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
}
