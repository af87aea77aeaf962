import {
  CloseCodes,
  type SessionInfo,
  WebSocketManager,
  WebSocketShardEvents as Events,
} from "@discordjs/ws";
import {
  type APIInteraction,
  GatewayCloseCodes as Code,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  type GatewayMessageCreateDispatchData,
} from "discord.js";
import type { DiscordConfig } from "../../../src/seam/config.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { atMost } from "../../../src/common/time.ts";
import { restFor } from "../api/rest.ts";
import { persistently, tellGivenUp } from "../api/application.ts";
import { Refused } from "../api/errors.ts";
import { assignedShard, reportToManager } from "./shard.ts";

/** How long Discord may take to say where its gateway is, and to take a farewell, in milliseconds. */
const TIMEOUT_MS = { address: 5_000, farewell: 2_000 } as const;

/** After these @discordjs/ws connects no more (topics/opcodes-and-status-codes, "Gateway Close Event Codes"). */
const FINAL: ReadonlySet<number> = new Set([
  Code.AuthenticationFailed,
  Code.InvalidShard,
  Code.ShardingRequired,
  Code.InvalidAPIVersion,
  Code.InvalidIntents,
  Code.DisallowedIntents,
]);

interface GatewayParts {
  readonly config: DiscordConfig;
  readonly log: Logger;
  readonly onInteraction: (interaction: APIInteraction) => void;
  /** Any message, as far as it is told to this bot. */
  readonly onMessage: (message: GatewayMessageCreateDispatchData) => void;
  /** The bot was taken out of a server, or the server is no more. */
  readonly onLeft: (guild: string) => void;
  /** Where other processes go on with what this one has: left out where there are none. */
  readonly relay?: Relay;
}

/** What connections are handed over by. */
interface Relay {
  /** The {@link Gateway.state} of whoever had them before. */
  readonly state: string | undefined;
  /** Whether this process may have them still. */
  readonly isOurs: () => boolean;
}

/**
 * Discord's gateway by @discordjs/ws, which keeps the connections: heartbeats, resumes, a shard or as many as Discord
 * recommends. In a process of discord.js's `ShardingManager` it is the shard that the manager wants.
 */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #stop = new AbortController();
  /** Whether each shard is connected, since it was for the first time. */
  #shards = new Map<number, boolean>();
  #count = Infinity;
  #running = Promise.resolve();
  /** By shard. */
  #sessions: (SessionInfo | null)[];

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    // It is of our own making.
    this.#sessions = parts.relay?.state === undefined ? [] : (JSON.parse(parts.relay.state) as SessionInfo[]);
  }

  /** What another process goes on with: Discord tells it what comes in between. */
  get state(): string {
    return JSON.stringify(this.#sessions);
  }

  /** Whether all shards are connected. */
  get ready(): boolean {
    return this.#shards.size === this.#count && [...this.#shards.values()].every(Boolean);
  }

  /**
   * Connects, and connects again whenever that is needed.
   * @returns when it is connected for the first time, or will never be, because Discord does not know the token
   */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const persistence = { log: this.#parts.log, signal: this.#stop.signal };
    this.#running = persistently(() => this.#connection(resolve), persistence)
      .catch(tellGivenUp(persistence))
      .finally(resolve);
    return promise;
  }

  /** Says goodbye, in bounded time; nothing comes in any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /**
   * One connection, from its beginning to its end.
   * @throws why it ended, or the signal's reason
   */
  async #connection(onReady: () => void): Promise<void> {
    const { signal } = this.#stop;
    const { promise: end, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const ended = new AbortController();
    const manager = this.#manager(ended.signal);
    this.#hear(manager, ended.signal, onReady, reject);
    try {
      const open = async () => {
        this.#count = (await manager.getShardIds()).length;
        await manager.connect();
      };
      await Promise.all([open(), end]);
    } finally {
      signal.removeEventListener("abort", stop);
      ended.abort();
      this.#shards = new Map();
      this.#count = Infinity;
      // Discord keeps a session that is to be resumed; every other farewell ends it.
      const farewell = this.#parts.relay && signal.aborted ? { code: CloseCodes.Resuming } : {};
      if (!signal.aborted) this.#sessions = [];
      await atMost(TIMEOUT_MS.farewell, Promise.resolve(manager.destroy(farewell)));
    }
  }

  #hear(
    manager: WebSocketManager,
    ended: AbortSignal,
    onReady: () => void,
    onEnd: (error: Error) => void,
  ): void {
    const { log } = this.#parts;
    const found = ({ shardId: shard }: { shardId: number }) => {
      if (ended.aborted) return;
      this.#shards.set(shard, true);
      reportToManager({ _ready: true });
      log.info({ shard }, "Connected to Discord");
      if (this.ready) onReady();
    };
    manager.on(Events.Ready, found);
    manager.on(Events.Resumed, found);
    manager.on(Events.Closed, ({ code, shardId: shard }) => {
      if (ended.aborted) return;
      if (FINAL.has(code)) return onEnd(endedBy(code));
      reportToManager({ _reconnecting: true });
      // A loss is told once.
      if (this.#shards.get(shard) === false) return;
      this.#shards.set(shard, false);
      log.warn({ shard }, "The connection to Discord was lost; it is being made again");
    });
    manager.on(Events.Error, () => {
      // How a connection ends is told by its code; without a listener an error would be thrown.
    });
    manager.on(Events.Dispatch, ({ data }) => {
      if (!ended.aborted && this.#isOurs()) this.#take(data);
    });
  }

  #isOurs(): boolean {
    return this.#parts.relay?.isOurs() ?? true;
  }

  /**
   * Connections for the shard that this process is to hold, else for as many as Discord recommends.
   * @param ended aborted when they are to be made no more
   */
  #manager(ended: AbortSignal): WebSocketManager {
    const { config } = this.#parts;
    const shard = assignedShard();
    return new WebSocketManager({
      token: config.token,
      rest: restFor(config, TIMEOUT_MS.address),
      // For GUILD_DELETE and messages; interactions need none. What a message shows is told without the privileged intent
      // where it mentions the bot, and in direct messages (topics/gateway, "Message Content Intent").
      intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages,
      ...(shard && { shardIds: [shard.id], shardCount: shard.count }),
      // What a shard asks for before it connects: one that pauses before another attempt does not hear of the end, and one that
      // stood still must not take back what another process has.
      retrieveSessionInfo: (id) =>
        ended.aborted || !this.#isOurs() ? new Promise(() => {}) : (this.#sessions[id] ?? null),
      updateSessionInfo: (id, session) => {
        if (!ended.aborted) this.#sessions[id] = session;
      },
    });
  }

  #take({ t: event, d: data }: GatewayDispatchPayload): void {
    const { onInteraction, onMessage, onLeft } = this.#parts;
    if (event === GatewayDispatchEvents.MessageCreate) onMessage(data);
    if (event === GatewayDispatchEvents.InteractionCreate) onInteraction(data);
    if (event === GatewayDispatchEvents.GuildDelete && !data.unavailable) onLeft(data.id);
  }
}

/** Why the same connection is not made again. */
function endedBy(code: number): Error {
  const message = `Discord ended the connection: ${Code[code] ?? code}`;
  return (code as Code) === Code.AuthenticationFailed ? new Refused(401, code, message) : new Error(message);
}
