import type { Opts, Telegram as Methods } from "telegraf/types";
import type { Throttler } from "../../kit/throttle/throttler.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { atMost, sleep } from "../../../src/common/time.ts";
import { type BotApi, hasStream, isUpload, type Parameters, releaseFiles } from "./client.ts";
import { type Meaning, meaningOf, messageGone, movedTo, retryAfterOf } from "./errors.ts";
import { TELEGRAM } from "./limits.ts";
import type { Moves } from "./moves.ts";

/** How a call goes out. */
export interface SendOptions {
  /** The chat that it posts to or edits in, for its pace; left out for calls that show nothing. */
  readonly chat?: number;
  /** Nobody waits for it: gives way to everything else, and a newer one with the same name replaces it unsent. */
  readonly idle?: string;
  /** Made once, whatever it comes to, but where its chat has moved: whoever asks goes on without an answer. */
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

interface Request {
  readonly method: string;
  readonly parameters: Parameters;
  readonly options: SendOptions;
  readonly since: number;
}

/** Calls of the Bot API, as those see it who make them. */
export type Sender = Pick<TelegrafSender, "call" | "raw">;

/** Calls of the Bot API through telegraf, each when its turn has come. */
export class TelegrafSender {
  readonly #api: BotApi;
  readonly #throttler: Throttler;
  readonly #moves: Moves;
  readonly #pausesMs: readonly number[];
  readonly #stop = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #stopped: Error | undefined;

  /** @param pausesMs between attempts while Telegram does not answer, in milliseconds */
  constructor(api: BotApi, throttler: Throttler, moves: Moves, pausesMs = TELEGRAM.pausesMs) {
    this.#api = api;
    this.#throttler = throttler;
    this.#moves = moves;
    this.#pausesMs = pausesMs;
  }

  /**
   * Makes one call inside Telegram's limits; `retry_after` is obeyed.
   * @throws TelegramError with Telegram's own words; see errors.ts for what they mean
   */
  call<M extends keyof Methods>(
    method: M,
    parameters: Opts<M>,
    options: SendOptions = {},
  ): Promise<ReturnType<Methods[M]>> {
    return this.raw(method, parameters, options);
  }

  /** Calls that newer typings know, by name. */
  async raw<T>(method: string, parameters: Parameters, options: SendOptions = {}): Promise<T> {
    const request = { method, parameters, options, since: performance.now() };
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt<T>(request, attempt);
      } catch (error) {
        const meaning = meaningOf(error);
        if (isSuccess(method, meaning)) return true as T;
        // Instead of an idle call the next one is made: it has newer things to say.
        if (options.idle === undefined && isWorthRepeating(meaning, this.#pausesMs.length - attempt, request))
          continue;
        releaseFiles(parameters);
        if (meaning === "unreachable") throw new ReelayError("undeliverable", {}, { cause: error });
        throw error;
      }
    }
  }

  /**
   * Lets nothing more begin, waits for answers, and gives up what is still under way then, such as uploads.
   * @param graceMs how long it waits at most, in milliseconds
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = new Error("Reelay stops; this was not sent.");
    this.#throttler.close(this.#stopped);
    const answers = Promise.allSettled(this.#underWay);
    await atMost(graceMs, answers);
    this.#stop.abort(this.#stopped);
    await answers;
  }

  /** Makes a call once, in its turn. After a failure its chat, or a call of no chat's, rests before it returns. */
  async #attempt<T>({ method, parameters, options, since }: Request, attempt: number): Promise<T> {
    const { idle, once, signal } = options;
    const chat = options.chat === undefined ? undefined : await this.#moves.today(options.chat);
    const message = "message_id" in parameters ? `${chat}:${String(parameters["message_id"])}` : undefined;
    const messages = method === "sendMediaGroup" ? lengthOf(parameters["media"]) : 1;
    const answered =
      chat === undefined
        ? undefined
        : await this.#throttler.turn({ chat, messages, since, idle, message }, signal);
    try {
      return await this.#send<T>(method, await this.#today(parameters), signal);
    } catch (error) {
      await this.#remember(error, parameters);
      const restMs =
        retryAfterOf(error) ?? (meaningOf(error) === "down" ? this.#pausesMs[attempt] : undefined);
      if (restMs !== undefined && chat !== undefined) this.#throttler.hold(chat, restMs);
      else if (restMs !== undefined && !once) await this.#rest(restMs, signal);
      throw error;
    } finally {
      answered?.();
    }
  }

  async #send<T>(method: string, parameters: Parameters, signal: AbortSignal | undefined): Promise<T> {
    if (this.#stopped) throw this.#stopped;
    const both = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    const answer = this.#api.call<T>(method, parameters, both);
    this.#underWay.add(answer);
    return answer.finally(() => this.#underWay.delete(answer));
  }

  /**
   * The same call to where its chat is today. Messages did not move along: their ids are others' there.
   * @throws TelegramError for what is about one of them
   */
  async #today(parameters: Parameters): Promise<Parameters> {
    const { chat_id: chat } = parameters;
    const today = typeof chat === "number" ? await this.#moves.today(chat) : undefined;
    if (today === undefined || today === chat) return parameters;
    const { reply_parameters: reply, ...others } = parameters;
    const isBound = reply !== undefined && !canStandAlone(reply);
    if ("message_id" in parameters || isBound) throw messageGone();
    return { ...others, chat_id: today };
  }

  async #remember(error: unknown, { chat_id: chat }: Parameters): Promise<void> {
    const moved = movedTo(error);
    if (moved !== undefined && typeof chat === "number") await this.#moves.remember(chat, moved);
  }

  async #rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await sleep(ms, signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal);
  }
}

/** Whether what answers a message is posted also where that is not there. */
function canStandAlone(reply: unknown): boolean {
  return typeof reply === "object" && reply !== null && "allow_sending_without_reply" in reply;
}

/** Failures that are none: what was wanted is so already, or nobody wants it any more. */
function isSuccess(method: string, meaning: Meaning | undefined): boolean {
  if (meaning === "unmodified" || meaning === "too_late") return true;
  return method === "deleteMessage" && meaning === "message_gone";
}

/**
 * A stream is read once. Of a file whose answer was lost nobody knows whether it arrived: it is not sent again, but put
 * into its message again.
 */
function isWorthRepeating(
  meaning: Meaning | undefined,
  attemptsLeft: number,
  { method, parameters, options }: Request,
): boolean {
  if (options.once && meaning !== "moved") return false;
  const mayComeTwice = isUpload(parameters) && method !== "editMessageMedia";
  if (meaning === "down") return attemptsLeft > 0 && !mayComeTwice && !hasStream(parameters);
  return (meaning === "flood" || meaning === "moved") && !hasStream(parameters);
}

const lengthOf = (media: unknown) => (Array.isArray(media) ? media.length : 1);
