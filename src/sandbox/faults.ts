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

/** Whether a fault strikes only after the request was handled. */
export function strikesAfter({ kind, accepted }: Fault): boolean {
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
  take(method: string, path: string): Fault | undefined {
    const fault = this.#waiting.find(
      ({ match }) => (match.method ?? method) === method && path.startsWith(match.path ?? "/"),
    );
    if (fault) this.#use(fault, 1);
    return fault;
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
