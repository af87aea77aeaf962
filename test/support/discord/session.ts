import { type APIMessage, GatewayDispatchEvents, GatewayIntentBits, GatewayOpcodes } from "discord.js";
import { randomBytes } from "node:crypto";
import type { WebSocket } from "ws";
import { shardOf } from "./snowflakes.ts";
import type { Event } from "./world.ts";

/** What a client says of itself in IDENTIFY. */
export interface Identity {
  readonly token: string;
  readonly intents: number;
  readonly shard?: readonly [id: number, count: number];
}

interface Frame {
  readonly op: GatewayOpcodes.Dispatch;
  readonly t: GatewayDispatchEvents;
  readonly s: number;
  readonly d: object;
}

/** One shard's session: outlives its connections, and repeats what a broken one missed. */
export class Session {
  readonly id = randomBytes(16).toString("hex");
  readonly shard: readonly [id: number, count: number];
  readonly #intents: number;
  readonly #bot: string;
  readonly #frames: Frame[] = [];
  #socket: WebSocket | undefined;

  /** @param bot the id of the bot that is told */
  constructor({ intents, shard = [0, 1] }: Identity, bot: string) {
    this.#intents = intents;
    this.#bot = bot;
    this.shard = shard;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** The connection that it speaks through from now on. */
  attach(socket: WebSocket): void {
    this.#socket = socket;
    socket.once("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
  }

  /** Closes the connection, as a network failure does, or with a code of the gateway's. */
  drop(code?: number): void {
    if (code === undefined) this.#socket?.terminate();
    else this.#socket?.close(code);
    this.#socket = undefined;
  }

  /** Says something that is not an event. */
  say(op: GatewayOpcodes, d: unknown = null): void {
    this.#socket?.send(JSON.stringify({ op, d, s: null, t: null }));
  }

  /** Tells an event of its own, whatever the intents. */
  dispatch(t: GatewayDispatchEvents, data: object): void {
    // As it is now: what changes later is told by later events.
    const d = JSON.parse(JSON.stringify(data)) as object;
    const frame: Frame = { op: GatewayOpcodes.Dispatch, t, s: this.#frames.length + 1, d };
    this.#frames.push(frame);
    this.#socket?.send(JSON.stringify(frame));
  }

  /** Tells an event, if it falls to this shard and the intents ask for it. */
  tell({ name, data, guild }: Event): void {
    const [id, count] = this.shard;
    if ((guild ? shardOf(guild.id, count) : 0) !== id) return;
    const intent = (guild ? GUILD_INTENTS : PRIVATE_INTENTS)[name];
    if (intent !== undefined && !this.#has(intent)) return;
    const isWithheld = guild && "content" in data && !this.#has(GatewayIntentBits.MessageContent);
    this.dispatch(name, isWithheld ? withheldFrom(this.#bot, data as APIMessage) : data);
  }

  /**
   * Repeats what came after an event.
   * @returns whether there was such an event
   */
  replay(after: number): boolean {
    if (after > this.#frames.length) return false;
    for (const frame of this.#frames.slice(after)) this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  #has(intent: number): boolean {
    return (this.#intents & intent) !== 0;
  }
}

type Intents = Partial<Record<GatewayDispatchEvents, GatewayIntentBits>>;

/** topics/gateway, "List of Intents": interactions need none. */
const GUILD_INTENTS: Intents = {
  [GatewayDispatchEvents.GuildCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.MessageCreate]: GatewayIntentBits.GuildMessages,
  [GatewayDispatchEvents.MessageUpdate]: GatewayIntentBits.GuildMessages,
  [GatewayDispatchEvents.MessageDelete]: GatewayIntentBits.GuildMessages,
};
const PRIVATE_INTENTS: Intents = {
  [GatewayDispatchEvents.MessageCreate]: GatewayIntentBits.DirectMessages,
  [GatewayDispatchEvents.MessageUpdate]: GatewayIntentBits.DirectMessages,
  [GatewayDispatchEvents.MessageDelete]: GatewayIntentBits.DirectMessages,
};

/**
 * topics/gateway, "Message Content Intent": without it a bot is given what a message shows only where it is its own, or
 * mentions it; the same goes for the message that it replies to.
 */
function withheldFrom(bot: string, { referenced_message: replied, ...message }: APIMessage): object {
  const { author, mentions } = message;
  const isGiven = author.id === bot || mentions.some(({ id }) => id === bot);
  return {
    ...message,
    ...(!isGiven && { content: "", embeds: [], attachments: [], components: [] }),
    ...(replied && { referenced_message: withheldFrom(bot, replied) }),
  };
}
