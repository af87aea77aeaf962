import type { Clock } from "../telegram/clock.ts";
import type { DiscordLimits } from "./limits.ts";
import { rateLimited } from "./refusal.ts";

/** At most so many in a window of so many milliseconds that starts with the first. */
class Bucket {
  readonly name: string;
  readonly most: number;
  readonly #ms: number;
  #used = 0;
  #until = 0;

  constructor(name: string, most: number, ms: number) {
    this.name = name;
    this.most = most;
    this.#ms = ms;
  }

  /** Counts one. Returns whether it fitted. */
  take(now: number): boolean {
    if (now >= this.#until) {
      this.#until = now + this.#ms;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= this.most;
  }

  get remaining(): number {
    return Math.max(0, this.most - this.#used);
  }

  resetAfter(now: number): number {
    return Math.max(0, this.#until - now);
  }
}

/** Discord's rate limits: a bucket per route and its channel or token, and one for all routes. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #limits: DiscordLimits;
  readonly #global: Bucket;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, limits: DiscordLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#global = new Bucket("global", limits.globalRequests, limits.globalMs);
  }

  /**
   * Counts a call.
   * @param route as the description writes it
   * @returns the headers that tell how many more may come
   * @throws Refusal 429 when it was too many
   */
  admit(route: string, params: Readonly<Record<string, string>>): Record<string, string> {
    const now = this.#clock.now();
    const seconds = (bucket: Bucket) => this.#clock.real(bucket.resetAfter(now)) / 1000;
    const ofInteraction = /\/(?:interactions|webhooks)\//.test(route);
    if (!ofInteraction && !this.#global.take(now)) throw rateLimited(seconds(this.#global), true);
    const bucket = this.#bucketOf(route, params);
    if (!bucket) return {};
    if (!bucket.take(now)) throw rateLimited(seconds(bucket), false);
    const resetAfter = seconds(bucket);
    return {
      "x-ratelimit-bucket": bucket.name,
      "x-ratelimit-limit": String(bucket.most),
      "x-ratelimit-remaining": String(bucket.remaining),
      "x-ratelimit-reset": String(Date.now() / 1000 + resetAfter),
      "x-ratelimit-reset-after": resetAfter.toFixed(3),
    };
  }

  /** Messages and follow-ups have a narrow bucket; other routes meet the global limit first. */
  #bucketOf(route: string, params: Readonly<Record<string, string>>): Bucket | undefined {
    const { channelRequests, channelMs, webhookRequests, webhookMs } = this.#limits;
    const { channel_id: channel, webhook_token: token } = params;
    if (token !== undefined) return this.#bucket(route, token, webhookRequests, webhookMs);
    if (channel === undefined || route.startsWith("GET")) return undefined;
    return this.#bucket(route, channel, channelRequests, channelMs);
  }

  #bucket(route: string, major: string, most: number, ms: number): Bucket {
    const key = `${route} ${major}`;
    const bucket = this.#buckets.get(key) ?? new Bucket(route.replaceAll(/\W+/g, "-"), most, ms);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
