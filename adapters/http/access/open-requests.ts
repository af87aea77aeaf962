import type { Context } from "hono";
import type { Caller, Partners } from "../../../src/seam/access/partners.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { onceAnswered } from "../../../src/infrastructure/telemetry/access-log.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** What holds a place: an answer that goes on as long as something happens, or any other request. */
export type RequestKind = "stream" | "request";

/** How many may be open at once: with one token, of one partner, in all; and bytes that those of a kind may have in memory. */
const MOST: Readonly<Record<RequestKind | "bytes", Readonly<Record<Among, number>>>> = {
  stream: { token: 100, partner: 200, all: 1_000 },
  request: { token: 256, partner: 512, all: 2_048 },
  bytes: { token: 64 * 2 ** 20, partner: 64 * 2 ** 20, all: 256 * 2 ** 20 },
};

/** Whose places are counted together. */
type Among = "token" | "partner" | "all";

/** How often it is looked whether the tokens of open streams are still good, in milliseconds. */
const LOOK_MS = 2_000;

interface Place {
  readonly kind: RequestKind;
  readonly caller: Caller;
  /** The most that its body may have in memory. */
  bytes: number;
  readonly end: AbortController;
}

/** A request that was let in. */
export interface OpenRequest {
  /** Aborted when the token was revoked meanwhile or has expired: a stream is to end then. */
  readonly revoked: AbortSignal;
  /** To be told how many bytes its body has in memory, once that is known: what it might have had is given back. */
  readonly holds: (bytes: number) => void;
}

/** What open requests are looked after with. */
interface OpenRequestsParts {
  readonly partners: Pick<Partners, "isGood">;
  readonly log: Logger;
  /** By default as above. */
  readonly most?: typeof MOST;
  readonly lookMs?: number;
}

/**
 * Partners' requests that are not answered to the end yet. New ones are refused where there are too many: what is open
 * already was wanted first, and whoever reconnects gives a place back.
 */
export class OpenRequests {
  readonly #parts: OpenRequestsParts;
  readonly #places = new Set<Place>();
  /**
   * How many are open, by what they are counted under. Looking through all of them at each request took longer than
   * anything else in a rush.
   */
  readonly #open = new Map<string, Open>();
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: OpenRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Takes a place for a request, until its answer has ended.
   * @param bytes the most that its body may have in memory
   * @throws ReelayError `too_many_open`
   */
  enter(c: Context, caller: Caller, kind: RequestKind, bytes: number): OpenRequest {
    const most = this.#parts.most ?? MOST;
    const place: Place = { kind, caller, bytes, end: new AbortController() };
    for (const [among, name] of countedUnder(place)) {
      const { count: max, bytes: taken } = this.#open.get(name) ?? NONE;
      // Where bodies are large, as many as there are now is the most.
      if (max >= most[kind][among] || (max > 0 && taken + bytes > most.bytes[among]))
        throw new ReelayError("too_many_open", { max });
    }
    this.#places.add(place);
    this.#count(place, 1);
    onceAnswered(c, () => this.#leave(place));
    this.#looking ??= setInterval(() => void this.#look(), this.#parts.lookMs ?? LOOK_MS).unref();
    return { revoked: place.end.signal, holds: (known) => this.#resize(place, known) };
  }

  #resize(place: Place, bytes: number): void {
    if (!this.#places.has(place)) return;
    this.#count(place, -1);
    place.bytes = bytes;
    this.#count(place, 1);
  }

  #count(place: Place, change: 1 | -1): void {
    for (const [, name] of countedUnder(place)) {
      const { count, bytes } = this.#open.get(name) ?? NONE;
      const open = { count: count + change, bytes: bytes + change * place.bytes };
      if (open.count > 0) this.#open.set(name, open);
      else this.#open.delete(name);
    }
  }

  #leave(place: Place): void {
    if (this.#places.delete(place)) this.#count(place, -1);
    if (this.#places.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Ends the streams of whoever may not come in any more. Each token is looked at once. */
  async #look(): Promise<void> {
    const streams = [...this.#places].filter(({ kind }) => kind === "stream");
    const byToken = Map.groupBy(streams, ({ caller }) => caller.token.id);
    for (const places of byToken.values()) {
      const [first] = places;
      if (first && !(await this.#isGood(first.caller))) for (const { end } of places) end.abort();
    }
  }

  /** Where that cannot be read, nobody is cut off. */
  async #isGood(caller: Caller): Promise<boolean> {
    try {
      return await this.#parts.partners.isGood(caller);
    } catch (err) {
      this.#parts.log.warn({ err }, "It could not be read whether a token is still good");
      return true;
    }
  }
}

/** How many are open, and the most bytes of their bodies that may be in memory. */
interface Open {
  readonly count: number;
  readonly bytes: number;
}

const NONE: Open = { count: 0, bytes: 0 };

/** What a place is counted under, the narrowest first: no partner's id or token's has a space in it. */
function countedUnder({ kind, caller: { partner, token } }: Place): readonly (readonly [Among, string])[] {
  return [
    ["token", `${kind} ${partner.id} ${token.id}`],
    ["partner", `${kind} ${partner.id}`],
    ["all", kind],
  ];
}
