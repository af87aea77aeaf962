import { GatewayCloseCodes, GatewayDispatchEvents, GatewayOpcodes } from "discord.js";
import type { Server } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { type Identity, Session } from "./session.ts";
import { shardOf } from "./snowflakes.ts";
import type { World } from "./world.ts";

/** topics/gateway, "Sending Heartbeats": real milliseconds. */
const HEARTBEAT_MS = 41_250;

interface Frame {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

interface Resume {
  readonly token: string;
  readonly session_id: string;
  readonly seq: number;
}

/** The gateway: tells connected bots what happens. */
export class Gateway {
  /** How many shards `/gateway/bot` recommends. */
  recommendedShards = 1;
  /** Every IDENTIFY that was accepted, and every RESUME. */
  identifies = 0;
  resumes = 0;
  readonly #world: World;
  readonly #token: string;
  readonly #sessions = new Map<string, Session>();
  #server: WebSocketServer | undefined;
  #url = "";

  constructor(world: World, token: string) {
    this.#world = world;
    this.#token = token;
    world.onEvent = (event) => {
      for (const session of this.#sessions.values()) session.tell(event);
    };
  }

  /** Listens for connections on an HTTP server. */
  attach(server: Server, url: string): void {
    this.#url = url;
    this.#server = new WebSocketServer({ server });
    this.#server.on("connection", (socket) => this.#greet(socket));
  }

  /** topics/gateway, "Get Gateway Bot". */
  info(): object {
    return {
      url: this.#url,
      shards: this.recommendedShards,
      session_start_limit: {
        total: 1000,
        remaining: 1000 - this.identifies,
        reset_after: 86_400_000,
        // The pause of five seconds between IDENTIFYs is for more shards than this at once.
        max_concurrency: 16,
      },
    };
  }

  /** How many shards are connected. */
  get connected(): number {
    return [...this.#sessions.values()].filter(({ isConnected }) => isConnected).length;
  }

  /** Breaks all connections, as a network failure does, or closes them with a code; sessions can be resumed. */
  drops(code?: GatewayCloseCodes): void {
    for (const session of this.#sessions.values()) session.drop(code);
  }

  /** Asks all to reconnect and resume. */
  asksToReconnect(): void {
    for (const session of this.#sessions.values()) session.say(GatewayOpcodes.Reconnect);
  }

  /** Forgets all sessions: their clients must identify anew. */
  invalidates(): void {
    for (const session of this.#sessions.values()) session.say(GatewayOpcodes.InvalidSession, false);
    this.#sessions.clear();
  }

  stop(): void {
    for (const socket of this.#server?.clients ?? []) socket.terminate();
    this.#server?.close();
  }

  #greet(socket: WebSocket): void {
    let session: Session | undefined;
    say(socket, GatewayOpcodes.Hello, { heartbeat_interval: HEARTBEAT_MS });
    socket.on("message", (data: Buffer) => {
      const frame = parse(data);
      if (!frame) return socket.close(GatewayCloseCodes.DecodeError);
      if (frame.op === GatewayOpcodes.Heartbeat) return say(socket, GatewayOpcodes.HeartbeatAck);
      if (frame.op === GatewayOpcodes.PresenceUpdate) return undefined;
      if (frame.op === GatewayOpcodes.Identify || frame.op === GatewayOpcodes.Resume) {
        if (session) return socket.close(GatewayCloseCodes.AlreadyAuthenticated);
        session =
          frame.op === GatewayOpcodes.Identify
            ? this.#identify(socket, frame.d as Identity)
            : this.#resume(socket, frame.d as Resume);
        return undefined;
      }
      return socket.close(session ? GatewayCloseCodes.UnknownOpcode : GatewayCloseCodes.NotAuthenticated);
    });
  }

  #identify(socket: WebSocket, identity: Identity): Session | undefined {
    const { token, intents, shard: [id, count] = [0, 1] } = identity;
    if (token !== this.#token) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    if (!Number.isInteger(intents)) return refuse(socket, GatewayCloseCodes.InvalidIntents);
    if (id >= count) return refuse(socket, GatewayCloseCodes.InvalidShard);
    this.identifies += 1;
    const session = new Session(identity, this.#world.bot.id);
    // A shard that identifies anew is done with its old session.
    for (const old of this.#sessions.values()) {
      if (old.shard[0] === id && !old.isConnected) this.#sessions.delete(old.id);
    }
    this.#sessions.set(session.id, session);
    session.attach(socket);
    const guilds = [...this.#world.guilds.values()].filter(
      (guild) => guild.hasBot && shardOf(guild.id, count) === id,
    );
    session.dispatch(GatewayDispatchEvents.Ready, {
      v: 10,
      user: this.#world.bot,
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.#url,
      shard: [id, count],
      application: { id: this.#world.applicationId, flags: 0 },
    });
    for (const guild of guilds) {
      session.tell({ name: GatewayDispatchEvents.GuildCreate, data: guild.created(), guild });
    }
    this.#world.touch();
    return session;
  }

  #resume(socket: WebSocket, { token, session_id: id, seq }: Resume): Session | undefined {
    if (token !== this.#token) return refuse(socket, GatewayCloseCodes.AuthenticationFailed);
    const session = this.#sessions.get(id);
    if (!session) {
      say(socket, GatewayOpcodes.InvalidSession, false);
      return undefined;
    }
    session.attach(socket);
    if (!session.replay(seq)) return refuse(socket, GatewayCloseCodes.InvalidSeq);
    this.resumes += 1;
    session.dispatch(GatewayDispatchEvents.Resumed, {});
    this.#world.touch();
    return session;
  }
}

function parse(data: Buffer): Frame | undefined {
  try {
    return JSON.parse(data.toString()) as Frame;
  } catch {
    return undefined;
  }
}

const say = (socket: WebSocket, op: GatewayOpcodes, d: unknown = null): void =>
  socket.send(JSON.stringify({ op, d, s: null, t: null }));

function refuse(socket: WebSocket, code: GatewayCloseCodes): undefined {
  socket.close(code);
}
