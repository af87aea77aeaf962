import type { Context } from "hono";
import type { Caller, Partners } from "../../../src/seam/access/partners.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type Logger, onceAnswered } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** What holds a place: an answer that goes on as long as something happens, or any other request. */
export type RequestKind = "stream" | "request";

/** How many may be open at once: with one token, of one partner, in all. */
const MOST: Readonly<
  Record<RequestKind, { readonly token: number; readonly partner: number; readonly all: number }>
> = {
  stream: { token: 100, partner: 200, all: 1_000 },
  request: { token: 256, partner: 512, all: 2_048 },
};

/** How often it is looked whether the tokens of open streams are still good, in milliseconds. */
const LOOK_MS = 2_000;

interface Place {
  readonly kind: RequestKind;
  readonly caller: Caller;
  readonly end: AbortController;
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
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: OpenRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Takes a place for a request, until its answer has ended.
   * @returns aborted when the token was revoked meanwhile or has expired: a stream is to end then
   * @throws ReelayError `too_many_open`
   */
  enter(c: Context, caller: Caller, kind: RequestKind): AbortSignal {
    const { token, partner, all } = this.#parts.most?.[kind] ?? MOST[kind];
    const others = [...this.#places].filter((place) => place.kind === kind);
    const ofPartner = others.filter((place) => place.caller.partner.id === caller.partner.id);
    const ofToken = ofPartner.filter((place) => place.caller.token.id === caller.token.id);
    if (ofToken.length >= token) throw new ReelayError("too_many_open", { max: token });
    if (ofPartner.length >= partner) throw new ReelayError("too_many_open", { max: partner });
    if (others.length >= all) throw new ReelayError("too_many_open", { max: all });
    const place: Place = { kind, caller, end: new AbortController() };
    this.#places.add(place);
    onceAnswered(c, () => this.#leave(place));
    this.#looking ??= setInterval(() => void this.#look(), this.#parts.lookMs ?? LOOK_MS).unref();
    return place.end.signal;
  }

  #leave(place: Place): void {
    this.#places.delete(place);
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
