import { z } from "zod";

/** What strikes before a request is handled, unless `accepted` says otherwise. */
const BEFORE = [
  "401",
  "402",
  "403",
  "404",
  "429",
  "slot429",
  "500",
  "503",
  "reset-before",
  "accepted-late",
  "hang",
  "html",
  "login",
] as const;

/** What befalls the answer to a request that was handled. */
const AFTER = [
  "reset-after",
  "truncated",
  "empty",
  "partial",
  "drip",
  "stall",
  "clock",
  "late-list",
  "null",
  "missing",
  "trimmed",
] as const;

/** What can be made to go wrong. `unready` is not of an answer, but of a result's file inside it. */
const FAULT_KINDS = [...BEFORE, ...AFTER, "unready"] as const;

/** The body of `POST /sandbox/faults`. */
export const faultFields = z.strictObject({
  match: z
    .strictObject({
      method: z.string().toUpperCase().optional(),
      /** How the path begins, as on the primary host: `/api/generate`. */
      path: z.string().startsWith("/").optional(),
      /** Whose key came with the request, by the account's name. */
      account: z.string().optional(),
    })
    .default({}),
  times: z.int().min(1).default(1),
  /** How many requests that match are let through first. */
  skip: z.int().min(1).optional(),
  kind: z.enum(FAULT_KINDS),
  /** `503` only: the product that rests. */
  product: z.string().optional(),
  /** Of those that strike before: whether the request is handled, and charged, before its answer goes wrong. */
  accepted: z.boolean().default(false),
  /** `html` only: the page's status, 502 unless given. */
  status: z.int().min(200).max(599).optional(),
  /** `429`, `slot429`, `503`: their `Retry-After`. */
  retryAfter: z.string().optional(),
  /** `partial` only: whether `Content-Length` is that of the part, or of the whole, which then breaks off. */
  length: z.enum(["part", "whole"]).optional(),
  /**
   * How long, in seconds that nothing scales: `accepted-late`, until the request is handled; `drip`, until all of
   * the answer is there; `clock`, how much further the service's clock is ahead; `late-list`, how old the jobs are
   * that the list begins with.
   */
  seconds: z.number().optional(),
});

/** A fault that waits for requests which match it. */
export type Fault = z.infer<typeof faultFields>;

/** A fault of a connection or of a whole answer. */
export type WireFault = Fault & { readonly kind: Exclude<Fault["kind"], "unready"> };

/** Whether a fault strikes only after the request was handled. */
export function strikesAfter({ kind, accepted }: WireFault): boolean {
  return accepted || AFTER.some((after) => after === kind);
}

/** What a fault is compared with. */
interface Asked {
  readonly method: string;
  readonly path: string;
  /** The name of the account whose key came with it. */
  readonly account?: string | undefined;
}

/** The faults that were asked for, each for a number of requests. */
export class Faults {
  #waiting: Fault[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ ...fault });
  }

  clear(): void {
    this.#waiting = [];
  }

  list(): readonly Fault[] {
    return this.#waiting;
  }

  /** Takes one from the oldest fault that matches a request. */
  take(asked: Asked): WireFault | undefined {
    const fault = this.#waiting.find(
      (waiting): waiting is WireFault => waiting.kind !== "unready" && strikes(waiting, asked),
    );
    if (fault) this.#use(fault, 1);
    return fault;
  }

  /** Takes one from the oldest `unready` that matches the request for a record which is to carry its result. */
  takeUnready(asked: Asked): boolean {
    const fault = this.#waiting.find((waiting) => waiting.kind === "unready" && strikes(waiting, asked));
    if (fault) this.#use(fault, 1);
    return fault !== undefined;
  }

  /** Gives one back: the request was refused for a reason of its own, so the fault did not strike. */
  putBack(fault: Fault): void {
    this.#use(fault, -1);
  }

  #use(fault: Fault, times: number): void {
    fault.times -= times;
    const others = this.#waiting.filter((waiting) => waiting !== fault);
    this.#waiting = fault.times > 0 ? [fault, ...others] : others;
  }
}

/** Whether a fault strikes a request; one that is let through is counted. */
function strikes(fault: Fault, { method, path, account }: Asked): boolean {
  const { match } = fault;
  const matches =
    (match.method ?? method) === method &&
    path.startsWith(match.path ?? "/") &&
    (match.account === undefined || match.account === account);
  if (!matches || !fault.skip) return matches;
  fault.skip -= 1;
  return false;
}
