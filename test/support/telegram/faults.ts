/** What a call is to suffer instead of, before or after being handled. */
export type Fault =
  /** 429, with the seconds to wait. */
  | { readonly kind: "flood"; readonly retryAfter: number }
  /** 500 as JSON, or 502 as a proxy's page. */
  | { readonly kind: "internal" | "bad gateway" }
  /** The connection breaks; after the call was handled, it was done all the same. */
  | { readonly kind: "reset before" | "reset after" }
  /** The answer takes this much longer, in the fake's milliseconds. */
  | { readonly kind: "slow"; readonly ms: number };

/** The faults that wait for calls. */
export class Faults {
  readonly #waiting: { readonly method: string; readonly fault: Fault; times: number }[] = [];

  add(method: string, fault: Fault, times: number): void {
    this.#waiting.push({ method, fault, times });
  }

  /** The fault that strikes a call, if any. */
  take(method: string): Fault | undefined {
    const found = this.#waiting.find((one) => one.method === method && one.times > 0);
    if (!found) return undefined;
    found.times -= 1;
    return found.fault;
  }
}
