import { type APIApplicationCommandOption, Client, Events, GatewayIntentBits, Partials } from "discord.js";
import { once } from "node:events";
import { FakeDiscord } from "./fake-discord.ts";
import { STANDS_STILL } from "../telegram/clock.ts";
import type { WorldOptions } from "./world.ts";
import { PATIENCE_MS } from "../patience.ts";

/** A connected client of discord.js, for tests of the fake itself. */
interface BareBot extends AsyncDisposable {
  readonly discord: FakeDiscord;
  readonly client: Client<true>;
}

/** A command for it to register. */
export interface BareCommand {
  readonly name: string;
  readonly type?: number;
  readonly description?: string;
  readonly options?: readonly APIApplicationCommandOption[];
  readonly [more: string]: unknown;
}

/** Starts a fake, whose time stands still unless something else is said, and a bot that has registered some commands and is ready. */
export async function connected(
  commands: readonly BareCommand[] = [],
  options: WorldOptions = {},
  intents: readonly GatewayIntentBits[] = [],
): Promise<BareBot> {
  const discord = await FakeDiscord.start({ timeScale: STANDS_STILL, ...options });
  const bot = await login(discord, intents);
  const { client } = bot;
  await client.rest.put(`/applications/${discord.applicationId}/commands`, { body: commands });
  return {
    discord,
    client,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await discord.stop();
    },
  };
}

/** Connects another client to a fake. */
export async function login(
  discord: FakeDiscord,
  intents: readonly GatewayIntentBits[] = [],
): Promise<{ readonly client: Client<true>; stop(): Promise<void> }> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages, ...intents],
    partials: [Partials.Channel],
    rest: { api: discord.url, retries: 0, timeout: PATIENCE_MS },
    // Else a second IDENTIFY waits for five seconds.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
  });
  const ready = once(client, Events.ClientReady);
  await client.login(discord.token);
  await ready;
  return { client: client as Client<true>, stop: () => client.destroy() };
}

/** How a call was answered. */
interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Calls the HTTP API by hand, without a client that waits or tries again. */
export async function call(
  discord: FakeDiscord,
  route: string,
  body?: unknown,
  files: readonly Buffer[] = [],
): Promise<RestAnswer> {
  const [method = "", path = ""] = route.split(" ");
  const form = new FormData();
  form.append("payload_json", JSON.stringify(body));
  for (const [n, bytes] of files.entries()) {
    form.append(`files[${n}]`, new Blob([new Uint8Array(bytes)]), `file${n}.bin`);
  }
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${discord.token}`,
      ...(files.length === 0 && { "content-type": "application/json" }),
    },
    ...(json !== undefined && { body: files.length === 0 ? json : form }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}
