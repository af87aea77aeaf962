import { randomUUID } from "node:crypto";
import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";
import { ReelayError } from "../../common/errors.ts";
import { currentTime, sleep, steady } from "../../common/time.ts";
import { Egresses } from "./egresses.ts";
import { Gates } from "./gates.ts";
import { traceRequest } from "./request-trace.ts";
import type { Slot } from "../storage/slot-table.ts";
import type { Taken, WindowLog } from "./window-log.ts";

/** Who wants to send a request, and how it counts. */
export interface Turn {
  readonly group: RateGroup;
  /** The key's fingerprint, never the key. */
  readonly key: string;
  /** Turns are shared out evenly among users. */
  readonly user: string;
  /** Nobody waits for it: leaves a share of every window to people's own requests. */
  readonly background?: boolean;
  /** Leaves the queue when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Hears that it has no place yet, once it has waited for {@link AT_ONCE_MS}. */
  readonly onWait?: (() => void) | undefined;
  /** Runs when it has its place, before it leaves; what it throws gives the place back. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

/** A turn that has waited for so long waits for what others leave free, and not only for the log, in milliseconds. */
const AT_ONCE_MS = 200;

/** What a {@link Limiter} needs. */
export interface LimiterOptions {
  readonly log: WindowLog;
  /** Requests per window, per key and per egress. */
  readonly limits?: Readonly<Record<RateGroup, number>>;
  /** The IP addresses that requests leave by: names for them, at least one. */
  readonly egresses?: readonly string[];
  /** Whether no connection could be made by one of them, when that was last tried. */
  readonly isAway?: (egress: string) => boolean;
}

/** A place in the windows of a key and of an address. */
interface Place {
  readonly slot: Slot;
  /** The name of the address that its request leaves by. */
  readonly egress: string;
}

/** A 429 that means "slow down". */
interface Refusal {
  readonly turn: Turn;
  readonly egress: string;
  /** When the request left, in milliseconds since 1970. */
  readonly sentAt: number;
  /** For how long the service asks to be left alone, in milliseconds, if it says so. */
  readonly retryAfterMs: number | undefined;
}

/** The share of every limit that background turns leave to people: the least, and the most where people use it. */
const LEFT_TO_PEOPLE = { least: 0.05, most: 0.2 } as const;

/**
 * How full the background may make a window: people find room for as many turns again as they took in it, so that what
 * they do not use is not left idle, and whoever comes first finds a slot all the same.
 * @param ofPeople turns that people took in the window
 */
export function backgroundLimit(limit: number, ofPeople: number): number {
  const { least, most } = leftToPeople(limit);
  return Math.max(1, limit - Math.min(most, Math.max(least, ofPeople)));
}

function leftToPeople(limit: number) {
  return {
    least: Math.ceil(limit * LEFT_TO_PEOPLE.least),
    most: Math.ceil(limit * LEFT_TO_PEOPLE.most),
  };
}

/**
 * Keeps the published rates (section 8.1), per key and per IP, and gives everyone a turn.
 *
 * Bottleneck queues, the {@link WindowLog} counts: bottleneck's own reservoirs start full after a restart, and
 * no two processes share one. Each request passes three gates, its user's, its key's and
 * that of all egresses, each of which lets one through at a time and holds only the *wait for a slot*, never the call.
 * So a user has at most one request at the key's gate and a key at most one at the last: both are served
 * in turn, whoever has how many. Whoever is at the last one leaves by whichever egress has room. A key whose own window
 * is full leaves that gate, so that it keeps no other key waiting. Background turns have gates of their own, lest people wait behind them, and leave
 * them a share of every window (`backgroundLimit`).
 */
export class Limiter {
  readonly #log: WindowLog;
  readonly #limits: Readonly<Record<RateGroup, number>>;
  readonly #egresses: Egresses;
  readonly #gates = new Gates();
  /** 429s that are not in the log yet, because it could not be written: they are before anything more leaves. */
  readonly #unnoted = new Set<Refusal>();
  #waiting = 0;

  constructor(options: LimiterOptions) {
    const { log, limits = RATE_LIMITS, egresses: names = ["default"], isAway = () => false } = options;
    this.#log = log;
    this.#limits = limits;
    this.#egresses = new Egresses({ names, isAway, passedOverMs: log.windowMs });
  }

  /** How full the window of each key is: requests in it, of so many. */
  async windowsOf(
    group: RateGroup,
    keys: readonly string[],
  ): Promise<readonly { readonly requests: number; readonly rate: number }[]> {
    const taken = await this.#log.taken(
      group,
      keys.map((key) => scopeOf(key)),
    );
    return taken.map((requests) => ({ requests, rate: this.#limits[group] }));
  }

  /** Turns that wait for a slot. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Sends one request when it is its turn. A 429 that means "slow down" makes later turns wait.
   * @param send makes one HTTP call, by the egress that it is told; never a whole generation, never a retry
   * @returns what `send` gives
   * @throws what `send` throws, or `beforeSend`; the signal's reason when it aborts before that
   */
  async run<T>(turn: Turn, send: (egress: string) => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    const { slot, egress } = await this.#freshPlace(turn);
    try {
      await turn.beforeSend?.();
    } catch (error) {
      // Nothing left. One that cannot be given back frees itself.
      await this.#log.cancel(slot).catch(() => undefined);
      throw error;
    }
    const [sentAt, leftAt] = [currentTime(), performance.now()];
    const settle = async (error?: unknown) => {
      traceRequest(turn, { askedAt, leftAt }, error);
      if (error instanceof ReelayError && isSlowDown(error))
        this.#unnoted.add({ turn, egress, sentAt, retryAfterMs: retryAfter(error) });
      await this.#log.release(slot);
      await this.#noteRefusals();
    };
    // Whatever the log says to it, the answer of a paid request must reach the caller; a slot that could not
    // be given back frees itself.
    try {
      const answer = await send(egress);
      await settle().catch(() => undefined);
      return answer;
    } catch (error) {
      await settle(error).catch(() => undefined);
      throw error;
    }
  }

  /** To be called once nothing is sent any more, before the database is closed. */
  async stop(): Promise<void> {
    // Where it cannot be written, what was released lately counts for longer.
    await this.#log.flush().catch(() => undefined);
  }

  async #freshPlace(turn: Turn): Promise<Place> {
    for (;;) {
      const place = await this.#queue(turn);
      if (this.#log.isFresh(place.slot)) return place;
      await this.#log.cancel(place.slot);
    }
  }

  async #queue(turn: Turn): Promise<Place> {
    const { signal, onWait } = turn;
    signal?.throwIfAborted();
    const late = onWait && setTimeout(onWait, AT_ONCE_MS);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason);
    signal?.addEventListener("abort", leave);
    this.#waiting += 1;
    const place = this.#place(turn);
    try {
      return await Promise.race([place, left.promise]);
    } catch (error) {
      // Bottleneck cannot take a job out of its queue: the turn comes up later, and gives its slot back.
      place.then(({ slot }) => this.#log.cancel(slot)).catch(() => undefined);
      throw error;
    } finally {
      this.#waiting -= 1;
      clearTimeout(late);
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Waits behind the three gates. */
  async #place(turn: Turn): Promise<Place> {
    const { group, key, user, background = false, signal } = turn;
    const keyScope = scopeOf(key);
    const line = { group, background };
    const waiter = randomUUID();
    const gate = <T>(name: string, task: () => Promise<T>) =>
      this.#gates.pass(JSON.stringify([group, background, name]), async () => {
        signal?.throwIfAborted();
        return task();
      });
    /** A place, or when the key's own window has one. */
    const takeAnywhere = async (): Promise<Place | number> => {
      for (;;) {
        await this.#noteRefusals();
        for (const egress of this.#egresses.toAsk(line)) {
          const taken = await this.#take(turn, egress, waiter);
          if (taken.slot) {
            this.#egresses.noteTaken(egress);
            return { slot: taken.slot, egress };
          }
          const [keyFree = 0, egressFree = 0] = taken.freeAt;
          if (keyFree > currentTime()) return keyFree;
          this.#egresses.noteFull(line, egress, egressFree - currentTime());
        }
        await this.#sleep(this.#egresses.freeAt(line) - steady(), signal);
      }
    };
    const takeInTurn = async () => {
      try {
        for (;;) {
          const place = await gate("egress", takeAnywhere);
          if (typeof place !== "number") return place;
          await this.#sleep(place - currentTime(), signal);
        }
      } finally {
        // Where that cannot be written, nobody waits for it for long.
        await this.#log.leave(waiter).catch(() => undefined);
      }
    };
    return gate(`user:${user}`, () => gate(keyScope, takeInTurn));
  }

  #take({ group, key, background = false }: Turn, name: string, waiter: string): Promise<Taken> {
    const egress = egressOf(name);
    const people = `people:${egress}`;
    const scopes = [scopeOf(key), egress];
    const limit = this.#limits[group];
    return background
      ? this.#log.take(group, scopes, limit, { left: { scope: people, ...leftToPeople(limit) } })
      : this.#log.take(group, scopes, limit, { noted: [people], waiter });
  }

  /** Sleeps a window at most: what is free may have changed by then. @param ms in milliseconds */
  async #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    // What is given back in this very millisecond is free one after its window.
    await sleep(Math.min(ms, this.#log.windowMs + 1), signal);
  }

  async #noteRefusals(): Promise<void> {
    for (const refusal of this.#unnoted) {
      await this.#slowDown(refusal);
      this.#unnoted.delete(refusal);
    }
  }

  /**
   * A 429 does not say whose limit was reached. It is taken for the key's until a second key meets one within
   * the same window: only then do all wait that would leave by the same egress, so that one key that is used elsewhere stops nobody else.
   */
  async #slowDown({ turn: { group, key }, egress, sentAt, retryAfterMs }: Refusal): Promise<void> {
    await this.#log.block(group, scopeOf(key), sentAt, retryAfterMs);
    if (await this.#log.blockedToo(group, "key:", scopeOf(key)))
      await this.#log.block(group, egressOf(egress), sentAt, retryAfterMs);
  }
}

const scopeOf = (key: string) => `key:${key}`;
const egressOf = (name: string) => `egress:${name}`;

/** Whether it is a 429 for the rate. One that leaves a submission unsure was not the service's own, and is heeded all the same. */
function isSlowDown(error: ReelayError): boolean {
  return (
    error.code === "rate_limited" || (error.code === "unsure" && "status" in error && error.status === 429)
  );
}

function retryAfter(error: ReelayError): number | undefined {
  return "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : undefined;
}
