import { createHash, randomUUID } from "node:crypto";
import type { SharedMemory } from "../../../src/common/memory.ts";
import type { Json } from "../../../src/common/json.ts";
import { asReelayError, ReelayError } from "../../../src/common/errors.ts";

/** An answer that is given again to whoever repeats the request. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** An answer, and whether it was given before. */
export interface Replayable extends KeptAnswer {
  readonly replayed: boolean;
}

/** Where a key counts: the same key of another partner, or for another route, is another one. */
export interface IdempotencyScope {
  readonly partner: string;
  readonly route: string;
}

/** What is kept of a request. */
interface Entry {
  readonly fingerprint: string;
  /** What the work knows the request by. */
  readonly request: string;
  /** Left out as long as it is worked on, or where the process died meanwhile. */
  readonly answer?: KeptAnswer;
  /** Set where the answer was forgotten: nothing is made anew all the same. */
  readonly forgotten?: true;
}

type Work = (request: string, name: string) => Promise<KeptAnswer>;

/** How long an answer is given again, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
const MAX_LENGTH = 255;
/** Printable ASCII. */
const KEY = /^[\x20-\x7e]+$/;

/** Requests that may be repeated: each is worked on once, and every repetition gets the first one's answer. */
export class Idempotency {
  readonly #memory: SharedMemory;
  /** The fingerprints of what is being worked on, by entry. */
  readonly #inFlight = new Map<string, string>();

  constructor(memory: SharedMemory) {
    this.#memory = memory;
  }

  /**
   * @param key the partner's; see {@link checkedKey}
   * @param fingerprint of the whole request
   * @param work does it. Its first argument is the same for all repetitions, also after a crash: what it accepted under
   * that name before it must not accept again; its second is what {@link forget} takes. It throws what was certainly not
   * accepted.
   * @throws ReelayError `idempotency_mismatch` for a key that was used for another request, `idempotency_in_flight`,
   * `not_found` where the answer was forgotten; what the work throws
   */
  async run(scope: IdempotencyScope, key: string, fingerprint: string, work: Work): Promise<Replayable> {
    const name = entryName(scope, checkedKey(key));
    const underWay = this.#inFlight.get(name);
    if (underWay !== undefined)
      throw new ReelayError(underWay === fingerprint ? "idempotency_in_flight" : "idempotency_mismatch");
    this.#inFlight.set(name, fingerprint);
    try {
      return await this.#run(name, fingerprint, work);
    } finally {
      this.#inFlight.delete(name);
    }
  }

  /** Forgets an answer, because what it tells of was erased. */
  async forget(name: string): Promise<void> {
    const entry = await this.#memory.get<Entry>(name);
    if (!entry) return;
    const { fingerprint, request } = entry;
    await this.#memory.set(name, { fingerprint, request, forgotten: true } satisfies Entry, KEPT_MS);
  }

  async #run(name: string, fingerprint: string, work: Work): Promise<Replayable> {
    const request = randomUUID();
    // Before the work begins, and by one process alone: one that dies in the middle of it leaves the name under which it is
    // repeated, and one that is asked at the same moment works under that name, too, which makes one job of both.
    const entry = await this.#memory.once<Entry>(name, () => ({ fingerprint, request }), KEPT_MS);
    if (entry.fingerprint !== fingerprint) throw new ReelayError("idempotency_mismatch");
    if (entry.forgotten) throw new ReelayError("not_found");
    if (entry.answer) return { ...entry.answer, replayed: true };
    const isFirst = entry.request === request;
    const answer = await work(entry.request, name).catch(async (error: unknown) => {
      // Refused: nothing was accepted, and what was in the way may be gone the next time. Not so where the mistake is
      // ours, or where an earlier attempt died: that one may have been accepted.
      if (isFirst && asReelayError(error).code !== "internal") await this.#memory.delete(name);
      throw error;
    });
    await this.#memory.set(name, { ...entry, answer } satisfies Entry, KEPT_MS);
    return { ...answer, replayed: false };
  }
}

/**
 * An `Idempotency-Key`, as it came.
 * @throws ReelayError `idempotency_key_missing`, `idempotency_key_invalid`
 */
export function checkedKey(key: string | undefined): string {
  if (key === undefined) throw new ReelayError("idempotency_key_missing");
  if (key.length > MAX_LENGTH || !KEY.test(key))
    throw new ReelayError("idempotency_key_invalid", { max: MAX_LENGTH });
  return key;
}

/** Of bounded length, with nothing of the partner's to be read in it. */
function entryName({ partner, route }: IdempotencyScope, key: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([partner, route, key]))
    .digest("hex");
  return `idempotency:${digest}`;
}
