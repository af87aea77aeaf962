import {
  type APIChannel,
  type APIDMChannel,
  type APIGuild,
  type APIGuildMember,
  type APIInteractionResponse,
  type APIMessage,
  MessageFlags,
  type RawFile,
  type REST,
  type RequestData,
  RequestMethod,
  type RESTPostAPIChannelMessageJSONBody,
  type RouteLike,
  Routes,
} from "discord.js";
import { sleep, timeoutAwake } from "../../../src/common/time.ts";
import { meaningOf, presentably } from "./errors.ts";
import { DISCORD } from "./limits.ts";

/** A message as it is posted or as it becomes; the same for every way to post one. */
export type MessageBody = Pick<
  RESTPostAPIChannelMessageJSONBody,
  "components" | "flags" | "allowed_mentions" | "attachments" | "message_reference"
> & {
  /** Uploaded with it; `attachments` may describe them by index. */
  readonly files?: readonly RawFile[];
};

/** An interaction's id and the token that answers it. */
export interface Token {
  readonly id: string;
  readonly token: string;
}

/** Pauses before what may be repeated is repeated, in milliseconds; short, because an answer is due in seconds. */
const PAUSES_MS = [100, 300, 900] as const;

/** How many messages are read at once (resources/message, "Get Channel Messages": up to 100). */
const NEWEST = 100;

/**
 * Calls of Discord's API inside its rate limits, which discord.js keeps for each route. What may be repeated without
 * harm is repeated after a failure on the way; what may not (a follow-up) never is.
 * Errors: see `meaningOf` in errors.ts.
 */
export class Api {
  readonly rest: REST;
  readonly applicationId: string;

  constructor(rest: REST, applicationId: string) {
    this.rest = rest;
    this.applicationId = applicationId;
  }

  /**
   * The first answer. One that had arrived in spite of a failure on the way counts as taken.
   * @param due ends the trying: Discord takes none after that, and says then whether it did
   */
  async answer(
    { id, token }: Token,
    body: APIInteractionResponse,
    due = timeoutAwake(DISCORD.firstAnswerMs),
  ): Promise<void> {
    let repeated = false;
    const attempt = async (signal: AbortSignal) => {
      const call = { body, auth: false, signal };
      try {
        // discord.js waits for as long as it is told to, whoever has given up.
        await untilOver(signal, this.#call(RequestMethod.Post, Routes.interactionCallback(id, token), call));
      } catch (error) {
        // The first attempt had arrived although its answer was lost.
        if (!(repeated && meaningOf(error) === "already_answered")) throw error;
      } finally {
        repeated = true;
      }
    };
    try {
      await this.#repeatedly(() => attempt(due), due);
    } catch (error) {
      if (!due.aborted || meaningOf(error) !== "down") throw error;
      // Once more tells what was taken in silence from what was missed.
      await attempt(timeoutAwake(DISCORD.firstAnswerMs));
    }
  }

  /**
   * A further message in an interaction. Never repeated: Discord takes no nonce here, and would post it twice. Where its
   * answer is lost nobody knows whether it is there: see `followUp`.
   */
  followUp({ token }: Token, body: MessageBody): Promise<APIMessage> {
    const route = Routes.webhook(this.applicationId, token);
    return this.#call(RequestMethod.Post, route, { ...message(body), auth: false });
  }

  /** Changes a message of an interaction: its first answer, or a further one by its id. */
  editReply({ token }: Token, id: "@original" | (string & {}), body: MessageBody): Promise<APIMessage> {
    const route = Routes.webhookMessage(this.applicationId, token, id);
    return this.#repeatedly(() => this.#call(RequestMethod.Patch, route, { ...edit(body), auth: false }));
  }

  async deleteReply({ token }: Token, id: "@original" | (string & {})): Promise<void> {
    await this.#remove(Routes.webhookMessage(this.applicationId, token, id), { auth: false });
  }

  /** @param nonce the same within some minutes posts one message only */
  post(channel: string, body: MessageBody, nonce: string): Promise<APIMessage> {
    const { body: content, files } = message(body);
    const once = { body: { ...content, nonce, enforce_nonce: true }, files };
    return this.#repeatedly(() => this.#call(RequestMethod.Post, Routes.channelMessages(channel), once));
  }

  edit(channel: string, id: string, body: MessageBody): Promise<APIMessage> {
    const route = Routes.channelMessage(channel, id);
    return this.#repeatedly(() => this.#call(RequestMethod.Patch, route, edit(body)));
  }

  async delete(channel: string, id: string): Promise<void> {
    await this.#remove(Routes.channelMessage(channel, id), {});
  }

  /** The newest messages of a channel, the newest first, as far as the bot may read there; what only one person sees is not among them. */
  newest(channel: string): Promise<readonly APIMessage[]> {
    const query = new URLSearchParams({ limit: String(NEWEST) });
    return this.#repeatedly(() => this.#call(RequestMethod.Get, Routes.channelMessages(channel), { query }));
  }

  /** A channel that the bot sees. */
  channel(id: string): Promise<APIChannel> {
    return this.#repeatedly(() => this.#call(RequestMethod.Get, Routes.channel(id), {}));
  }

  /** A server that the bot is in. */
  guild(id: string): Promise<APIGuild> {
    return this.#repeatedly(() => this.#call(RequestMethod.Get, Routes.guild(id), {}));
  }

  /** The bot as a member of a server. */
  membership(guild: string): Promise<APIGuildMember> {
    const route = Routes.guildMember(guild, this.applicationId);
    return this.#repeatedly(() => this.#call(RequestMethod.Get, route, {}));
  }

  /** The channel of somebody's direct messages. */
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

  #call<T>(method: RequestMethod, fullRoute: RouteLike, call: RequestData): Promise<T> {
    return presentably(this.rest.request({ ...call, method, fullRoute })) as Promise<T>;
  }

  /** @param end after which nothing is repeated */
  async #repeatedly<T>(attempt: () => Promise<T>, end?: AbortSignal): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await attempt();
      } catch (error) {
        if (meaningOf(error) !== "down" || end?.aborted) throw error;
        await sleep(pauseMs);
      }
    }
    return attempt();
  }
}

/** What a call gives, as long as its signal lets it. @throws what means `down` once that is over */
function untilOver<T>(signal: AbortSignal, call: Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return presentably(Promise.race([call, over]).finally(() => signal.removeEventListener("abort", end)));
}

function message<T extends MessageBody>({ files = [], ...body }: T) {
  return { body, files: [...files] };
}

/** A message may be from before all were of components v2: what it had then must go (resources/message, "Edit Message"). */
function edit(body: MessageBody) {
  const isV2 = ((body.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
  return message(isV2 ? { content: null, embeds: [], ...body } : body);
}
