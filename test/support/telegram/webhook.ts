import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import type { Inbox, Pending } from "./inbox.ts";

/** What setWebhook set. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret_token?: string;
  readonly max_connections?: number;
}

/** API, setWebhook `max_connections`. */
const CONNECTIONS = 40;

/** Sends updates to the bot's URL: those of one chat one after another, each until it was taken. */
export class Webhook {
  target: WebhookTarget | undefined;
  lastError: { readonly date: number; readonly message: string } | undefined;
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #onTaken: (body: unknown) => Promise<void>;
  readonly #busy = new Set<number>();
  readonly #stopped = new AbortController();

  /** @param onTaken hears the body of the answer to each update that was taken, if it was JSON */
  constructor(inbox: Inbox, clock: Clock, onTaken: (body: unknown) => Promise<void>) {
    this.#inbox = inbox;
    this.#clock = clock;
    this.#onTaken = onTaken;
    inbox.onUpdate = () => this.pump();
  }

  /** Sends what waits, as far as chats and connections are free. */
  pump(): void {
    if (!this.target) return;
    for (const pending of this.#inbox.pending) {
      if (this.#busy.size >= (this.target.max_connections ?? CONNECTIONS)) return;
      if (this.#busy.has(pending.chat)) continue;
      this.#busy.add(pending.chat);
      void this.#deliver(pending).finally(() => {
        this.#busy.delete(pending.chat);
        this.pump();
      });
    }
  }

  stop(): void {
    this.target = undefined;
    this.#stopped.abort();
  }

  /** Tries until it succeeds or there is no webhook any more, a second longer apart each time. */
  async #deliver(pending: Pending): Promise<void> {
    for (let attempt = 1; this.target; attempt += 1) {
      const taken = await this.#post(this.target, pending).catch((error: Error) => error);
      if (!(taken instanceof Error)) {
        this.#inbox.pending.splice(this.#inbox.pending.indexOf(pending), 1);
        return;
      }
      this.lastError = { date: this.#clock.seconds(), message: taken.message };
      await pause(this.#clock.real(attempt * 1000), undefined, { signal: this.#stopped.signal }).catch(
        () => {},
      );
    }
  }

  async #post({ url, secret_token: secret }: WebhookTarget, { update }: Pending): Promise<void> {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret !== undefined && { "x-telegram-bot-api-secret-token": secret }),
      },
      body: JSON.stringify(update),
      signal: this.#stopped.signal,
    });
    const body = await response.text();
    if (!response.ok)
      throw new Error(`Wrong response from the webhook: ${response.status} ${response.statusText}`);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && body !== "";
    await this.#onTaken(isJson ? JSON.parse(body) : undefined);
  }
}
