import { type APIApplicationCommandOption, Client, Events, GatewayIntentBits, Partials } from "discord.js";
import { once } from "node:events";
import { FakeDiscord } from "./fake-discord.ts";
import type { WorldOptions } from "./world.ts";

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

/** Starts a fake, and a bot that has registered some commands and is ready. */
export async function connected(
  commands: readonly BareCommand[] = [],
  options: WorldOptions = {},
): Promise<BareBot> {
  const discord = await FakeDiscord.start(options);
  const { client, stop } = await login(discord);
  await client.rest.put(`/applications/${discord.applicationId}/commands`, { body: commands });
  return {
    discord,
    client,
    async [Symbol.asyncDispose]() {
      await stop();
      await discord.stop();
    },
  };
}

/** Connects another client to a fake. */
export async function login(
  discord: FakeDiscord,
): Promise<{ readonly client: Client<true>; stop(): Promise<void> }> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
    partials: [Partials.Channel],
    rest: { api: discord.url, retries: 0 },
  });
  const ready = once(client, Events.ClientReady);
  await client.login(discord.token);
  await ready;
  return { client: client as Client<true>, stop: () => client.destroy() };
}
