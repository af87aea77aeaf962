import {
  type APIChannel,
  type APIDMChannel,
  type APIInteractionResponse,
  type APIMessage,
  REST,
  type RESTOptions,
  type RequestData,
  RequestMethod,
  type RouteLike,
  Routes,
} from "discord.js";
import type { RawFile } from "discord.js";
import type { DiscordConfig } from "../../../src/config.ts";
import { sleep } from "../../../src/time.ts";
import type { Api, MessageBody, Token } from "./api.ts";
import { meaningOf, presentable } from "./errors.ts";

/** Pauses before what may be repeated is repeated, in milliseconds; short, because an answer is due in seconds. */
const PAUSES_MS = [100, 300, 900] as const;

/** How long a call may take, in milliseconds; files of tens of megabytes leave over slow lines. */
const TIMEOUT_MS = 120_000;

/** How many messages are read at once (resources/message, "Get Channel Messages": up to 100). */
const NEWEST = 100;

/** Discord's API by discord.js, which keeps the rate limits of each route. */
export class DiscordApi implements Api {
  readonly rest: REST;
  readonly applicationId: string;

  constructor(rest: REST, applicationId: string) {
    this.rest = rest;
    this.applicationId = applicationId;
  }

  async answer(
    { id, token }: Token,
    body: APIInteractionResponse,
    files: readonly RawFile[] = [],
  ): Promise<void> {
    let repeated = false;
    const call = { body, files: [...files], auth: false };
    await this.#repeatedly(async () => {
      try {
        await this.#call(RequestMethod.Post, Routes.interactionCallback(id, token), call);
      } catch (error) {
        // The first attempt had arrived although its answer was lost.
        if (!(repeated && meaningOf(error) === "already_answered")) throw error;
      } finally {
        repeated = true;
      }
    });
  }

  // Never repeated: Discord takes no nonce here, and would post it twice.
  followUp({ token }: Token, body: MessageBody): Promise<APIMessage> {
    const route = Routes.webhook(this.applicationId, token);
    return this.#call(RequestMethod.Post, route, { ...message(body), auth: false });
  }

  editReply({ token }: Token, id: string, body: MessageBody): Promise<APIMessage> {
    const route = Routes.webhookMessage(this.applicationId, token, id);
    return this.#repeatedly(() => this.#call(RequestMethod.Patch, route, { ...message(body), auth: false }));
  }

  async deleteReply({ token }: Token, id: string): Promise<void> {
    await this.#remove(Routes.webhookMessage(this.applicationId, token, id), { auth: false });
  }

  post(channel: string, body: MessageBody, nonce: string): Promise<APIMessage> {
    const { body: content, files } = message(body);
    const once = { body: { ...content, nonce, enforce_nonce: true }, files };
    return this.#repeatedly(() => this.#call(RequestMethod.Post, Routes.channelMessages(channel), once));
  }

  edit(channel: string, id: string, body: MessageBody): Promise<APIMessage> {
    const route = Routes.channelMessage(channel, id);
    return this.#repeatedly(() => this.#call(RequestMethod.Patch, route, message(body)));
  }

  async delete(channel: string, id: string): Promise<void> {
    await this.#remove(Routes.channelMessage(channel, id), {});
  }

  newest(channel: string): Promise<readonly APIMessage[]> {
    const query = new URLSearchParams({ limit: String(NEWEST) });
    return this.#repeatedly(() => this.#call(RequestMethod.Get, Routes.channelMessages(channel), { query }));
  }

  channel(id: string): Promise<APIChannel> {
    return this.#repeatedly(() => this.#call(RequestMethod.Get, Routes.channel(id), {}));
  }

  async conversation(user: string): Promise<string> {
    const body = { recipient_id: user };
    const { id } = await this.#repeatedly(() =>
      this.#call<APIDMChannel>(RequestMethod.Post, Routes.userChannels(), { body }),
    );
    return id;
  }

  /** What is gone already is deleted. */
  async #remove(route: RouteLike, call: RequestData): Promise<void> {
    await this.#repeatedly(async () => {
      try {
        await this.#call(RequestMethod.Delete, route, call);
      } catch (error) {
        if (meaningOf(error) !== "message_gone") throw error;
      }
    });
  }

  async #call<T>(method: RequestMethod, fullRoute: RouteLike, call: RequestData): Promise<T> {
    try {
      return (await this.rest.request({ ...call, method, fullRoute })) as T;
    } catch (error) {
      throw presentable(error);
    }
  }

  async #repeatedly<T>(attempt: () => Promise<T>): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await attempt();
      } catch (error) {
        if (meaningOf(error) !== "down") throw error;
        await sleep(pauseMs);
      }
    }
    return attempt();
  }
}

/**
 * discord.js's own repetitions are off: it repeats what was carried out already, without a pause. Node's own `fetch`
 * sends: discord.js would hand forms to whatever undici this process made its global one, which refuses them.
 * @param timeout how long a call may take, in milliseconds
 */
export function restFor({ token, apiRoot }: DiscordConfig, timeout: number = TIMEOUT_MS): REST {
  const rest = new REST({
    version: "10",
    retries: 0,
    timeout,
    // Typed for another version of the same function.
    makeRequest: fetch as unknown as RESTOptions["makeRequest"],
    ...(apiRoot !== undefined && { api: apiRoot }),
  });
  return rest.setToken(token);
}

function message({ files = [], ...body }: MessageBody) {
  return { body, files: [...files] };
}
