/** What a call is to suffer instead of, before or after being handled. */
export type Fault =
  /** 429, with the real seconds to wait. */
  | { readonly kind: "rate limit"; readonly retryAfter: number; readonly global?: boolean }
  /** 500 as JSON, or 502 as a proxy's page. */
  | { readonly kind: "internal" | "bad gateway" }
  /** The connection breaks; after the call was handled, it was done all the same. */
  | { readonly kind: "reset before" | "reset after" }
  /** Handling starts, or its answer comes, this much later, in the fake's milliseconds. */
  | { readonly kind: "slow" | "slow after"; readonly ms: number };

/** The faults that wait for calls. */
export class Faults {
  readonly #waiting: { readonly route: string; readonly fault: Fault; times: number }[] = [];

  add(route: string, fault: Fault, times: number): void {
    this.#waiting.push({ route, fault, times });
  }

  /** The fault that strikes a call, if any. */
  take(route: string): Fault | undefined {
    const found = this.#waiting.find((one) => one.route === route && one.times > 0);
    if (!found) return undefined;
    found.times -= 1;
    return found.fault;
  }
}
