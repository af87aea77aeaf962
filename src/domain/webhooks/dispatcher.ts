import { ReelayError } from "../../common/errors.ts";
import { atMost } from "../../common/time.ts";
import { attempt, type Tried } from "./attempt.ts";
import type { Due } from "./due.ts";
import { type Deliveries, type Fresh, type WebhookMessage, TRY_MS } from "./deliveries.ts";
import type { WebhookParts } from "./parts.ts";
import { PATIENCE_MS, type SendingPlace, SendingPlaces } from "./places.ts";
import { GuardedAgent } from "../../infrastructure/net/guarded.ts";
import { fateOf } from "./schedule.ts";
import { signedHeaders } from "./signature.ts";
import type { SigningSecrets } from "./signing-secrets.ts";
import { traceWebhook } from "./trace.ts";

/** How often the database is looked at, in milliseconds: another process may have written something. */
const LOOK_MS = 2_000;

/** How long a stop waits for tries that are under way, in milliseconds. */
const STOP_MS = 3_000;

const SWEEP_MS = 60 * 60_000;

/** For how long it can be seen what was sent, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What a dispatcher works with. */
interface WebhookDispatcherParts extends Omit<
  WebhookParts,
  "database" | "vault" | "audit" | "surface" | "now"
> {
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
export class WebhookDispatcher {
  readonly #parts: WebhookDispatcherParts;
  readonly #now: () => number;
  readonly #agent: GuardedAgent;
  readonly #places = new SendingPlaces();
  readonly #underWay = new Set<Promise<void>>();
  /** Those that are under way: where what came of one cannot be written for long, it is due again. */
  readonly #taken = new Set<number>();
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #leaving = false;
  /** The look that is going on, and whether another is wanted after it. */
  #looking: Promise<void> | undefined;
  #again = false;
  /** Whether something may be due that was not begun. */
  #behind = true;
  #sweeping = Promise.resolve();
  #ignore = () => {};

  constructor(parts: WebhookDispatcherParts) {
    this.#parts = parts;
    this.#agent = new GuardedAgent(parts);
    this.#now = parts.now;
  }

  start(): void {
    this.#ignore = this.#parts.deliveries.onDue(
      (fresh) => this.#hear(fresh),
      (to) => !this.#leaving && !this.#behind && this.#places.mayBegin(to, this.#now()),
    );
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
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    await this.#sweeping;
    const ended = Promise.all(this.#underWay);
    if (!(await atMost(STOP_MS, ended))) this.#stop.abort();
    await ended;
    // What was being written as taken meanwhile was given back.
    this.#ignore();
    await Promise.all(this.#underWay);
    await this.#agent[Symbol.asyncDispose]();
  }

  /** Begins whatever is due and may begin. */
  look(): void {
    this.#again = true;
    this.#looking ??= this.#takeAll();
  }

  /** Begins what was just written and taken with that, and takes the rest; where others wait already, in its turn. */
  #hear(fresh?: readonly Fresh[]): void {
    for (const one of fresh ?? []) if (one.taken) this.#beginOrGiveBack(one, one.taken);
    const others = fresh?.filter(({ taken }) => taken === undefined);
    if (others?.length === 0) return;
    if (this.#leaving) return;
    if (!others || this.#behind || this.#looking) return this.look();
    this.#looking = this.#takeAll(others);
  }

  /** The place that there was for it when it was written may be somebody else's by now. */
  #beginOrGiveBack(one: Due, message: WebhookMessage): void {
    const now = this.#now();
    if (!this.#leaving && this.#places.mayBegin(one, now)) return this.#begin(message, one);
    this.#behind = true;
    const giving = this.#parts.deliveries
      .release(message, now)
      .catch((err: unknown) =>
        this.#parts.log.error({ err }, "A webhook that was taken waits until it is due"),
      )
      .finally(() => {
        this.#underWay.delete(giving);
        if (!this.#leaving) this.look();
      });
    this.#underWay.add(giving);
  }

  /**
   * Begins at most one message for each receiver at a time, so that none takes all places at once.
   * @param fresh what is due, where nothing else is
   */
  async #takeAll(fresh?: readonly Due[]): Promise<void> {
    try {
      if (fresh) await this.#take(fresh, this.#now());
      while (this.#again) {
        this.#again = false;
        const now = this.#now();
        // There may be another one for the same receiver.
        if (await this.#take(await this.#parts.deliveries.due(now), now)) this.#again = true;
      }
    } catch (err) {
      this.#behind = true;
      this.#parts.log.error({ err }, "Webhooks that are due could not be read");
    } finally {
      this.#looking = undefined;
    }
  }

  /** Begins what may begin. Returns whether anything did. */
  async #take(found: readonly Due[], now: number): Promise<boolean> {
    let begun = false;
    const due = found.filter((one) => !this.#taken.has(one.seq) && this.#places.mayBegin(one, now));
    // First whoever has the fewest under way; of those, who has waited longest.
    due.sort((a, b) => this.#places.of(a.user) - this.#places.of(b.user) || a.next_at - b.next_at);
    this.#behind = due.length < found.length;
    for (const one of due) {
      if (this.#leaving) break;
      if (!this.#places.mayBegin(one, now)) {
        this.#behind = true;
        continue;
      }
      const message = await this.#parts.deliveries.claim(one, now);
      if (message) this.#begin(message, one);
      begun ||= message !== undefined;
    }
    return begun;
  }

  #begin(message: WebhookMessage, { seq, receiver }: Due): void {
    this.#taken.add(seq);
    const givenUp = new AbortController();
    const place: SendingPlace = { receiver, user: message.user, giveUp: () => givenUp.abort() };
    this.#places.take(place);
    const patience = setTimeout(() => {
      this.#places.hangs(place);
      this.look();
    }, this.#parts.patienceMs ?? PATIENCE_MS);
    const send = async () => {
      const answered = await this.#send(message, givenUp.signal);
      clearTimeout(patience);
      this.#places.leave(place, answered, this.#now());
    };
    const sending = send().finally(() => {
      this.#underWay.delete(sending);
      this.#taken.delete(seq);
      if (this.#behind) this.look();
    });
    this.#underWay.add(sending);
  }

  /** Sends a message and writes what came of it. Returns whether anything was answered. */
  async #send(message: WebhookMessage, givenUp: AbortSignal): Promise<boolean> {
    const { deliveries, log, chance = Math.random } = this.#parts;
    try {
      const at = this.#now();
      const tried = await this.#try(message, at, givenUp);
      const { status, error } = tried;
      const now = this.#now();
      traceWebhook(message, { at, tookMs: now - at, status, error });
      const fate = fateOf(tried, message.failures, now, chance());
      await deliveries.settle(message, { at, status, error, tookMs: now - at }, fate);
      return status !== null;
    } catch (err) {
      // It stays taken for a while: what fails here would fail again at once.
      const report = (why: unknown) =>
        log.error({ err: why, message: message.id }, "What came of a webhook could not be written");
      if (this.#stop.signal.aborted) await deliveries.release(message, this.#now()).catch(report);
      else report(err);
      return false;
    }
  }

  async #try(
    { id, user, endpoint, url, body }: WebhookMessage,
    at: number,
    givenUp: AbortSignal,
  ): Promise<Tried> {
    const { secrets, privateHosts, tryMs: timeoutMs = TRY_MS, mode = "live" } = this.#parts;
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
    const headers = { ...signedHeaders(id, body, signing, at), "reelay-mode": mode };
    const agent = this.#agent;
    const { signal } = this.#stop;
    return attempt({ url, body, headers, privateHosts, agent, timeoutMs, givenUp, signal });
  }

  #sweep(): void {
    this.#places.forget(this.#now() - SWEEP_MS);
    this.#sweeping = this.#parts
      .sweep(this.#now() - KEPT_MS)
      .catch((err: unknown) => this.#parts.log.error({ err }, "Old webhooks could not be erased"));
  }
}
