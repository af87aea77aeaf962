import { z } from "zod";

/** What can be made to go wrong. */
const KINDS = [
  "429",
  "slot429",
  "500",
  "503",
  "reset-before",
  "reset-after",
  "hang",
  "truncated",
  "html",
  "unready",
] as const;

/** The body of `POST /sandbox/faults`. */
export const faultFields = z.strictObject({
  match: z
    .strictObject({
      method: z.string().toUpperCase().optional(),
      /** How the path begins, as on the primary host: `/api/generate`. */
      path: z.string().startsWith("/").optional(),
    })
    .default({}),
  times: z.int().min(1).default(1),
  kind: z.enum(KINDS),
  /** `503` only: the product that rests. */
  product: z.string().optional(),
  /** `hang` and `html` only: whether the request is handled, and charged, before its answer goes wrong. */
  accepted: z.boolean().default(false),
});

/** A fault that waits for requests which match it. */
export type Fault = z.infer<typeof faultFields>;

/** A fault of the connection or of a whole answer; `unready` is one of a result's file. */
export type WireFault = Fault & { readonly kind: Exclude<Fault["kind"], "unready"> };

/** Whether a fault strikes only after the request was handled. */
export function strikesAfter({ kind, accepted }: WireFault): boolean {
  return kind === "reset-after" || kind === "truncated" || accepted;
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
  take(method: string, path: string): WireFault | undefined {
    const fault = this.#waiting.find(
      (waiting): waiting is WireFault => waiting.kind !== "unready" && matches(waiting, method, path),
    );
    if (fault) this.#use(fault, 1);
    return fault;
  }

  /** Takes one from the oldest `unready` that matches the request for a record which is to carry its result. */
  takeUnready(method: string, path: string): boolean {
    const fault = this.#waiting.find(
      (waiting) => waiting.kind === "unready" && matches(waiting, method, path),
    );
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

function matches({ match }: Fault, method: string, path: string): boolean {
  return (match.method ?? method) === method && path.startsWith(match.path ?? "/");
}
