import { createHash } from "node:crypto";
import type { Memory, SharedMemory } from "../../../src/common/memory.ts";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";

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
  /** When the partner was added, in milliseconds since 1970: a former partner of the same name was at another time. */
  readonly since: number;
}

/** What is kept of a request. */
interface Entry {
  readonly fingerprint: string;
  /** When its partner was added, see {@link IdempotencyScope}; undefined where an earlier version wrote it. */
  readonly since?: number;
  readonly answer?: KeptAnswer;
  /** Of an entry without an answer, which earlier versions wrote before they began: what the work is known by. */
  readonly request?: string;
  /** Set where the answer was forgotten: nothing is made anew all the same. */
  readonly forgotten?: true;
}

/** What a request is worked on with. */
export interface Claim {
  /** What {@link Idempotency.forget} takes. */
  readonly name: string;
  /** What an earlier version began it under: what was accepted under that name must not be accepted again. */
  readonly request?: string;
  /**
   * Keeps the answer, in the transaction that writes what it tells of: both are there, or neither.
   * @param within the memory, in that transaction
   * @throws Overtaken where another process was faster: nothing of the transaction may stay
   */
  keep(answer: KeptAnswer, within: Memory): Promise<void>;
}

/** Another process has answered the same request meanwhile. */
class Overtaken extends Error {
  readonly entry: Entry;

  constructor(entry: Entry) {
    super("The same request was answered by another process.");
    this.entry = entry;
  }
}

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
   * @param work does it, and keeps its answer with what it writes; where it keeps none, nothing was accepted, and the
   * request may be sent again
   * @throws ReelayError `idempotency_mismatch` for a key that was used for another request, `idempotency_in_flight`,
   * `not_found` where the answer was forgotten; what the work throws
   */
  async run(
    scope: IdempotencyScope,
    key: string,
    fingerprint: string,
    work: (claim: Claim) => Promise<KeptAnswer>,
  ): Promise<Replayable> {
    const name = entryName(scope, checkedKey(key));
    const underWay = this.#inFlight.get(name);
    if (underWay !== undefined)
      throw new ReelayError(underWay === fingerprint ? "idempotency_in_flight" : "idempotency_mismatch");
    this.#inFlight.set(name, fingerprint);
    try {
      const { since } = scope;
      const entry = ofNow(await this.#memory.get<Entry>(name), since);
      if (entry && !isBegun(entry, fingerprint)) return replay(entry, fingerprint);
      return { ...(await work(claimOf(name, fingerprint, since, entry?.request))), replayed: false };
    } catch (error) {
      if (error instanceof Overtaken) return replay(error.entry, fingerprint);
      throw error;
    } finally {
      this.#inFlight.delete(name);
    }
  }

  /** Forgets an answer, because what it tells of was erased. */
  async forget(name: string): Promise<void> {
    const entry = await this.#memory.get<Entry>(name);
    if (!entry) return;
    const { fingerprint, since } = entry;
    const left: Entry = { fingerprint, forgotten: true, ...(since !== undefined && { since }) };
    await this.#memory.set(name, left, KEPT_MS);
  }
}

function claimOf(name: string, fingerprint: string, since: number, request: string | undefined): Claim {
  return {
    name,
    ...(request !== undefined && { request }),
    async keep(answer, within) {
      const entry: Entry = { fingerprint, since, answer };
      // Of several processes that get the same request at once, one makes the entry.
      if (await within.add(name, entry, KEPT_MS)) return;
      const before = ofNow(await within.get<Entry>(name), since);
      if (before && (before.request !== request || !isBegun(before, fingerprint)))
        throw new Overtaken(before);
      await within.set(name, entry, KEPT_MS);
    },
  };
}

/** What is not a former partner's. No two times are put in order: a clock may have been set back since the partner was added. */
const ofNow = (entry: Entry | undefined, since: number) =>
  (entry?.since ?? since) === since ? entry : undefined;

/** Whether an earlier version began the same request, and did not get to an answer. */
const isBegun = (entry: Entry, fingerprint: string) =>
  entry.fingerprint === fingerprint && !entry.answer && !entry.forgotten;

function replay(entry: Entry, fingerprint: string): Replayable {
  if (entry.fingerprint !== fingerprint) throw new ReelayError("idempotency_mismatch");
  if (entry.forgotten) throw new ReelayError("not_found");
  if (!entry.answer) throw new ReelayError("idempotency_in_flight");
  return { ...entry.answer, replayed: true };
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
