import type { Api } from "../api/api.ts";
import { meaningOf } from "../api/errors.ts";
import type { DiscordAddress } from "./address.ts";
import { isThread } from "./interaction.ts";
import { lackingOf, overwritesOf, type Permission, permissionsOf } from "./permissions.ts";

/** What is looked at for the rights of a channel. */
type RightsApi = Pick<Api, "channel" | "guild" | "membership">;

/** What the bot lacks somewhere, if that can be known. */
export type Lacking = Permission | "unknown" | undefined;

/** How long a channel where nothing is missing counts as such, in milliseconds: what is taken away there counts after that. */
const GRANTED_MS = 10_000;

/** How many such channels are remembered. */
const MOST = 1_000;

/**
 * What the bot may not do in channels where no interaction says it: whoever mentions it in a message tells no
 * `app_permissions`. What is missing is asked for anew each time, because somebody may just have given it.
 */
export class ChannelRights {
  readonly #api: RightsApi;
  readonly #now: () => number;
  /** When channels where nothing is missing are to be asked for again, the first of them first. */
  readonly #granted = new Map<string, number>();

  /** @param now milliseconds since 1970 */
  constructor(api: RightsApi, now: () => number = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  /** What is missing for posting a result in a channel of a server; `unknown` where Discord does not tell. */
  async lackingIn({ guild, channel }: Pick<DiscordAddress, "guild" | "channel">): Promise<Lacking> {
    if (guild === undefined) return "unknown";
    if ((this.#granted.get(channel) ?? 0) > this.#now()) return undefined;
    const lacking = await this.#ask(guild, channel);
    this.#granted.delete(channel);
    if (lacking === undefined) this.#note(channel);
    return lacking;
  }

  async #ask(guild: string, id: string): Promise<Lacking> {
    try {
      const [server, member, channel] = await Promise.all([
        this.#api.guild(guild),
        this.#api.membership(guild),
        this.#api.channel(id),
      ]);
      const parent = isThread(channel) && "parent_id" in channel ? channel.parent_id : undefined;
      const place = parent ? await this.#api.channel(parent) : channel;
      const granted = permissionsOf(server, member, overwritesOf(place), this.#now());
      return lackingOf(granted, isThread(channel));
    } catch (error) {
      if (meaningOf(error) === undefined) throw error;
      return "unknown";
    }
  }

  #note(channel: string): void {
    const [first] = this.#granted.keys();
    if (first !== undefined && this.#granted.size >= MOST) this.#granted.delete(first);
    this.#granted.set(channel, this.#now() + GRANTED_MS);
  }
}
