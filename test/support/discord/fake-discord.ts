import { type APIUser, GatewayDispatchEvents, Locale } from "discord.js";
import { setTimeout as pause } from "node:timers/promises";
import type { Trouble } from "../file-trouble.ts";
import { until } from "../telegram/waiting.ts";
import { Channel } from "./channel.ts";
import { type Description, loadDescription } from "./description.ts";
import { Endpoint, SigningKey } from "./endpoint.ts";
import type { Fault } from "./faults.ts";
import { Gateway } from "./gateway.ts";
import { Guild, type GuildOptions } from "./guild.ts";
import { Person } from "./person.ts";
import { Refusal } from "./refusal.ts";
import { type Call, RestApi } from "./rest-api.ts";
import { type FakeServer, serve } from "./server.ts";
import { type AccountKind, World, type WorldOptions } from "./world.ts";

/** Who a person is. */
export interface PersonOptions {
  readonly name: string;
  readonly locale?: Locale;
  /** Whether they have installed the app for themselves. */
  readonly installed?: boolean;
  /** What stands behind the account: a person unless given. */
  readonly kind?: AccountKind;
}

/** What became of one interaction. */
export interface LoggedInteraction {
  readonly id: string;
  readonly token: string;
  /** "make video", a custom id. */
  readonly name: string;
  /** The fake's milliseconds until the first answer; nothing where there was none. */
  readonly acknowledgedAfter: number | undefined;
  /** Whether an endpoint over HTTP answered it with what is not taken. */
  readonly isRefused: boolean;
}

/** Not a real one, but of its shape: the application's id, a time, a signature. */
const tokenOf = (id: string) =>
  `${Buffer.from(id).toString("base64url")}.GfAkE0.fake-token-for-tests-0123456789ab`;

/** Discord for a test: REST, gateway and files, and people who use the bot. `await using` stops it. */
export class FakeDiscord implements AsyncDisposable {
  /** For `DISCORD_API_ROOT`. */
  readonly url: string;
  readonly token: string;
  readonly applicationId: string;
  /** Hex: for `DISCORD_PUBLIC_KEY`. */
  readonly publicKey: string;
  readonly gateway: Gateway;
  readonly #world: World;
  readonly #api: RestApi;
  readonly #server: FakeServer;
  readonly #key: SigningKey;
  readonly #description: Description | undefined;

  private constructor(
    world: World,
    token: string,
    key: SigningKey,
    description: Description | undefined,
    gateway: Gateway,
    api: RestApi,
    server: FakeServer,
  ) {
    this.url = server.url;
    this.token = token;
    this.applicationId = world.applicationId;
    this.publicKey = key.publicKey;
    this.gateway = gateway;
    this.#world = world;
    this.#api = api;
    this.#server = server;
    this.#key = key;
    this.#description = description;
  }

  /** Starts one on a free port of this machine. */
  static async start(options: WorldOptions = {}): Promise<FakeDiscord> {
    const key = new SigningKey();
    const world = new World(key.publicKey, options);
    const token = tokenOf(world.applicationId);
    const description = await loadDescription();
    const gateway = new Gateway(world, token);
    const api = new RestApi(world, token, description, !options.lean, () => gateway.info());
    const server = await serve(api, world.cdn, world.limits);
    world.cdn.url = `${server.url}/cdn`;
    gateway.attach(server.http, server.url.replace("http", "ws"));
    // Interactions come also from servers that the bot is no member of: somebody installed it for themselves.
    world.onInteraction = (interaction) => {
      const { repeatsInteractions, dropEvery } = world.liberties;
      const times = repeatsInteractions ? 2 : 1;
      if (dropEvery > 0 && world.interactions.size % dropEvery === 0) gateway.drops();
      for (let time = 0; time < times; time++)
        world.onEvent({
          name: GatewayDispatchEvents.InteractionCreate,
          data: interaction.payload(),
          guild: interaction.userAction.channel.guild,
        });
    };
    return new FakeDiscord(world, token, key, description, gateway, api, server);
  }

  /** The bot's own account. */
  get bot(): APIUser {
    return this.#world.bot;
  }

  /** Somebody with a Discord client, who shares no server with the bot yet. */
  person({ name, locale = Locale.EnglishUS, installed = false, kind }: PersonOptions): Person {
    const person = new Person(this.#world, name, locale, kind);
    person.installed = installed;
    return person;
  }

  /** A server; with the bot in it, unless said otherwise. */
  guild(options: GuildOptions): Guild {
    const guild = new Guild(this.#world, options);
    this.#world.guilds.set(guild.id, guild);
    this.#world.tell(GatewayDispatchEvents.GuildCreate, guild.created(), guild);
    return guild;
  }

  /** People's own conversation, where the bot is only as an app that one of them installed. */
  privateChannel(...people: readonly Person[]): Channel {
    const channel = new Channel(this.#world, { recipients: people.map(({ user }) => user) });
    this.#world.channels.set(channel.id, channel);
    return channel;
  }

  /**
   * Sends interactions to a URL from now on, and not over the gateway, as the developer portal's setting does.
   * @throws Error when the URL does not answer a PING, or takes a bad signature
   */
  async interactsOver(url: string): Promise<void> {
    const endpoint = new Endpoint(this.#world, url, this.#key, this.#description);
    await endpoint.verify();
    this.#world.endpoint = url;
    this.#world.onInteraction = (interaction) => {
      void endpoint.send(interaction).catch((error: unknown) => {
        interaction.refusal = error instanceof Refusal ? error : new Refusal(0, 0, String(error));
        this.#world.touch(interaction.id);
      });
    };
  }

  /** Sends one PING to a URL. */
  pings(url: string, { forged = false } = {}): Promise<Response> {
    return new Endpoint(this.#world, url, this.#key, this.#description).ping(forged);
  }

  /**
   * Lets many things happen, evenly spread over some real milliseconds, and waits for all of them.
   * @param act starts one of them, by its number
   */
  async spread<T>(count: number, ms: number, act: (index: number) => Promise<T>): Promise<T[]> {
    const startedAt = performance.now();
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await pause(Math.max(0, startedAt + (index * ms) / count - performance.now()));
        return act(index);
      }),
    );
  }

  /** Every call of the bot's, in the order of being answered. Empty in a lean fake. */
  calls(route?: string): Call[] {
    return this.#api.log.filter((call) => route === undefined || call.route === route);
  }

  /** Every interaction so far, in order. */
  interactions(): LoggedInteraction[] {
    return [...this.#world.interactions.values()].map(
      ({ id, token, userAction, acknowledgedAfter, refusal }) => ({
        id,
        token,
        name: userAction.name,
        acknowledgedAfter,
        isRefused: refusal !== undefined,
      }),
    );
  }

  /** Waits until something is so, looking again after each call and each change. */
  async until(isSo: () => boolean, within?: number): Promise<void> {
    const look = () => isSo() || undefined;
    const missing = () => `It did not become so: ${isSo.toString()}`;
    await until(this.#world.changes, "change", look, missing, within);
  }

  /** Lets the next calls of a route fail: "POST /channels/{channel_id}/messages". */
  fails(route: string, fault: Fault, times = 1): void {
    if (!(route in this.#api.routes)) throw new Error(`The fake has no route ${route}.`);
    this.#api.faults.add(route, fault, times);
  }

  /** Lets the next fetches of attachments fail. */
  filesFail(trouble: Trouble, times = 1): void {
    this.#world.cdn.trouble.add(trouble, times);
  }

  /** Lets them work again. */
  filesWork(): void {
    this.#world.cdn.trouble.clear();
  }

  /** Lets the fake's time pass at once, in milliseconds. */
  passTime(ms: number): void {
    this.#world.passTime(ms);
  }

  async stop(): Promise<void> {
    this.gateway.stop();
    await this.#server.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
