import type { Hono } from "hono";
import type { Update } from "telegraf/types";
import { ConfigError } from "../../src/common/config-error.ts";
import type { SurfaceConfig, TelegramConfig } from "../../src/seam/config.ts";
import type { Logger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { repeat } from "../../src/common/time.ts";
import { persistently } from "../kit/pipeline/connection.ts";
import { type BotApi, PLATFORM } from "./api/client.ts";
import { isUnknownToken, meaningOf, retryAfterOf } from "./api/errors.ts";
import type { Services } from "./context/context.ts";
import type { Taker } from "./dispatcher.ts";
import { mountWebhook, secretOf, WEBHOOK_PATH } from "./webhook.ts";

/** The kinds of updates that somebody here deals with; Telegram sends no others. */
const ALLOWED_UPDATES = [
  "message",
  "edited_message",
  "callback_query",
  "inline_query",
  "my_chat_member",
] as const;

/** How long Telegram waits for news before it answers that there are none, in seconds. */
const POLL_S = 50;

interface BotParts {
  readonly api: BotApi;
  readonly config: Pick<SurfaceConfig, "publicUrl">;
  readonly telegram: TelegramConfig;
  readonly log: Logger;
  readonly routes: Hono;
}

/**
 * Brings updates in, by long polling or by a webhook. telegraf's own polling is not used: it ends at a 409,
 * cannot be stopped in a pause, and confirms updates whose handling failed.
 */
export class Bot {
  readonly #parts: BotParts;
  readonly #stop = new AbortController();
  #taker: Taker | undefined;
  #polling: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  #ready = false;

  /** Mounts the webhook's route, if there is to be one. */
  constructor(parts: BotParts) {
    this.#parts = parts;
    const { routes, telegram } = parts;
    if (telegram.webhook) mountWebhook(routes, telegram.token, () => this.#taker);
  }

  /** Whether the last that was heard of Telegram was good. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * Makes itself known to Telegram, as often as it takes.
   * @returns the bot, with its name without @
   * @throws ConfigError for a token or an address that Telegram does not take
   */
  async connect(): Promise<Pick<Services, "bot" | "username">> {
    const { api, log } = this.#parts;
    const { signal } = this.#stop;
    const attempt = async () => {
      const { id, username } = await api.call<{ id: number; username: string }>("getMe", {}, signal);
      await this.#chooseWay();
      return { bot: id, username };
    };
    return persistently(PLATFORM, attempt, { log, signal });
  }

  /** Begins to take updates in; what a webhook brings goes to whoever listened last. */
  listen(taker: Taker): void {
    this.#ready = true;
    this.#taker = taker;
    if (this.#parts.telegram.webhook) return;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#stop.signal]);
    this.#polling = { stop, ended: this.#poll(taker, signal) };
  }

  /** Asks for no more updates, until it is to listen again: somebody else does. */
  async rest(): Promise<void> {
    this.#polling?.stop.abort();
    await this.#polling?.ended;
    this.#ready = !this.#stop.signal.aborted;
  }

  /** Takes nothing in any more. A webhook stays where it is: Telegram keeps what comes until the next start. */
  async stop(): Promise<void> {
    this.#ready = false;
    this.#taker = undefined;
    this.#stop.abort();
    await this.#polling?.ended;
  }

  async #chooseWay(): Promise<void> {
    const { api, telegram, config } = this.#parts;
    const { signal } = this.#stop;
    // While there is a webhook, getUpdates is refused.
    if (!telegram.webhook) return void (await api.call("deleteWebhook", {}, signal));
    const target = {
      url: `${config.publicUrl}${WEBHOOK_PATH}`,
      secret_token: secretOf(telegram.token),
      allowed_updates: ALLOWED_UPDATES,
    };
    await api.call("setWebhook", target, signal).catch((error: unknown) => {
      if (meaningOf(error) !== "refused" || isUnknownToken(error)) throw error;
      throw new ConfigError([
        {
          setting: "REELAY_PUBLIC_URL",
          found: `${config.publicUrl}, of which Telegram says: ${String(error)}`,
          wanted: "an https address that Telegram can call",
        },
      ]);
    });
  }

  async #poll(taker: Taker, signal: AbortSignal): Promise<void> {
    const { api, log } = this.#parts;
    let offset = 0;
    const once = async () => {
      const wanted = { offset, timeout: POLL_S, allowed_updates: ALLOWED_UPDATES };
      const told = await api.call<readonly Update[]>("getUpdates", wanted, signal);
      // Their ids are there to "restore the correct update sequence, should they get out of order" (API, Update).
      const updates = told.toSorted((a, b) => a.update_id - b.update_id);
      await taker.take(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      this.#ready = !signal.aborted;
    };
    const onFailure = (err: unknown, pauseMs: number) => {
      this.#ready = false;
      log.warn({ err, pauseMs }, "Telegram gave no updates; asking again");
    };
    await repeat(once, { signal, pauseOf: retryAfterOf, onFailure });
  }
}
