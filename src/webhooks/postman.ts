import { ReelayError } from "../errors.ts";
import { atMost } from "../time.ts";
import { attempt, type Tried } from "./attempt.ts";
import { type Deliveries, type Message, TRY_MS } from "./deliveries.ts";
import type { WebhookParts } from "./parts.ts";
import { fateOf } from "./schedule.ts";
import { signedHeaders } from "./signature.ts";
import type { SigningSecrets } from "./signing-secrets.ts";

/** How many tries are under way at once: in all, for one partner, at one host. No dead host holds others up. */
const MOST = { tries: 8, user: 4, host: 2 } as const;

/** How often the database is looked at, in milliseconds: another process may have written something. */
const LOOK_MS = 2_000;

/** How long a stop waits for tries that are under way, in milliseconds. */
const STOP_MS = 3_000;

const SWEEP_MS = 60 * 60_000;

/** For how long it can be seen what was sent, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What a postman works with. */
interface PostmanParts extends Omit<WebhookParts, "database" | "vault" | "now"> {
  readonly deliveries: Deliveries;
  readonly secrets: SigningSecrets;
  /** Erases what is older than a time. */
  readonly sweep: (before: number) => Promise<void>;
  readonly now: () => number;
}

/**
 * Sends what is due, and again what failed. Several processes may do so over one database: each message is taken
 * by one of them. After a crash a message whose outcome was not written is sent once more, under the same
 * `webhook-id`.
 */
export class Postman {
  readonly #parts: PostmanParts;
  readonly #now: () => number;
  readonly #underWay = new Map<Message, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #leaving = false;
  /** The look that is going on, and whether another is wanted after it. */
  #looking: Promise<void> | undefined;
  #again = false;
  #sweeping = Promise.resolve();
  #ignore = () => {};

  constructor(parts: PostmanParts) {
    this.#parts = parts;
    this.#now = parts.now;
  }

  start(): void {
    this.#ignore = this.#parts.deliveries.onDue(() => this.look());
    this.#timers.push(
      setInterval(() => this.look(), LOOK_MS),
      setInterval(() => this.#sweep(), SWEEP_MS),
    );
    for (const timer of this.#timers) timer.unref();
    this.#sweep();
    this.look();
  }

  /** Begins nothing more, waits a little for what is under way, and gives the rest back. */
  async stop(): Promise<void> {
    this.#leaving = true;
    this.#ignore();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    await this.#sweeping;
    const ended = Promise.all(this.#underWay.values());
    if (!(await atMost(STOP_MS, ended))) this.#stop.abort();
    await ended;
  }

  /** Begins whatever is due and may begin. */
  look(): void {
    this.#again = true;
    this.#looking ??= this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#take();
      }
    } catch (err) {
      this.#parts.log.error({ err }, "Webhooks that are due could not be read");
    } finally {
      this.#looking = undefined;
    }
  }

  async #take(): Promise<void> {
    while (!this.#leaving && this.#underWay.size < MOST.tries) {
      // First whoever has nothing under way: what others have waiting for dead hosts may be more than all tries.
      const message = (await this.#claim(1)) ?? (await this.#claim(MOST.user));
      if (!message) return;
      const running = this.#send(message).finally(() => {
        this.#underWay.delete(message);
        this.look();
      });
      this.#underWay.set(message, running);
    }
  }

  /** Takes a message of somebody who has fewer than this under way. */
  #claim(most: number): Promise<Message | undefined> {
    const messages = [...this.#underWay.keys()];
    const hosts = messages.map(({ host }) => host);
    const users = messages.map(({ user }) => user);
    return this.#parts.deliveries.claim(this.#now(), {
      hosts: often(hosts, MOST.host),
      users: often(users, most),
    });
  }

  async #send(message: Message): Promise<void> {
    const { deliveries, log, chance = Math.random } = this.#parts;
    try {
      const at = this.#now();
      const tried = await this.#try(message, at);
      const { status, error } = tried;
      const now = this.#now();
      const fate = fateOf(tried, message.failures, now, chance());
      await deliveries.settle(message, { at, status, error, tookMs: now - at }, fate);
    } catch (err) {
      if (this.#stop.signal.aborted) return deliveries.release(message, this.#now());
      // It stays taken for a while: what fails here would fail again at once.
      log.error({ err, message: message.id }, "What came of a webhook could not be written");
    }
  }

  async #try({ id, user, endpoint, url, body }: Message, at: number): Promise<Tried> {
    const { secrets, privateHosts, lookup, tryMs: timeoutMs = TRY_MS } = this.#parts;
    let signing: readonly string[];
    try {
      // A partner may have asked for callbacks before they asked what signs them.
      if (endpoint === null) await secrets.newest(user, at);
      signing = await secrets.signing(endpoint ?? user, at);
    } catch (error) {
      // The operator's secret is another one: an unsigned message would be of no use to anybody.
      if (error instanceof ReelayError) return { status: null, error: error.code };
      throw error;
    }
    const headers = signedHeaders(id, body, signing, at);
    return attempt({ url, body, headers, privateHosts, lookup, timeoutMs, signal: this.#stop.signal });
  }

  #sweep(): void {
    this.#sweeping = this.#parts
      .sweep(this.#now() - KEPT_MS)
      .catch((err: unknown) => this.#parts.log.error({ err }, "Old webhooks could not be erased"));
  }
}

/** Those that occur at least so often. */
function often(names: readonly string[], times: number): string[] {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].filter(([, all]) => all.length >= times).map(([name]) => name);
}
