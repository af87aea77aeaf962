import { steady } from "./time.ts";

/** What a request may do, and what its answer says of that. */
export interface RateDecision {
  /** How long it must wait, in milliseconds; undefined: it may go on. */
  readonly refusedForMs: number | undefined;
  /** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` for a refusal. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How many requests were let through in a second that begins so many seconds after 1970. */
interface Second {
  readonly second: number;
  count: number;
}

const WINDOW_S = 60;

/**
 * Requests a minute, for each caller apart. The window slides by the second, and a second counts until a whole minute
 * after its end: no minute of any phase has more than the quota. Refusals do not count.
 */
export class RateLimit {
  readonly #policy: string;
  readonly #now: () => number;
  /** The last minute of each caller, oldest second first. Whoever asked last is at the end. */
  readonly #callers = new Map<string, Second[]>();

  /**
   * @param policy what the headers call it
   * @param now in milliseconds; it never goes back
   */
  constructor(policy: string, now: () => number = steady) {
    this.#policy = policy;
    this.#now = now;
  }

  /**
   * Counts a request, if there is room for it.
   * @param quota requests that may come in 60 seconds
   */
  take(caller: string, quota: number): RateDecision {
    const now = this.#now();
    const second = Math.floor(now / 1000);
    const used = (this.#callers.get(caller) ?? []).filter((one) => one.second + WINDOW_S >= second);
    const sum = used.reduce((total, { count }) => total + count, 0);
    const fits = sum < quota;
    if (fits) {
      const last = used.at(-1);
      if (last?.second === second) last.count++;
      else used.push({ second, count: 1 });
    }
    this.#callers.delete(caller);
    this.#callers.set(caller, used);
    this.#forget(second);

    const freeAt = ((used[0]?.second ?? second) + WINDOW_S + 1) * 1000;
    const seconds = Math.ceil((freeAt - now) / 1000);
    const remaining = Math.max(0, quota - sum - (fits ? 1 : 0));
    return {
      refusedForMs: fits ? undefined : freeAt - now,
      headers: {
        "RateLimit-Policy": `"${this.#policy}";q=${quota};w=${WINDOW_S}`,
        RateLimit: `"${this.#policy}";r=${remaining};t=${seconds}`,
        ...(!fits && { "Retry-After": String(seconds) }),
      },
    };
  }

  /** Forgets who has not been let through for a minute. */
  #forget(second: number): void {
    for (const [caller, used] of this.#callers) {
      const last = used.at(-1);
      if (last && last.second + WINDOW_S >= second) return;
      this.#callers.delete(caller);
    }
  }
}
