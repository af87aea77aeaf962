import type { RefusalCode } from "./refusal.ts";
import type { MessageBody } from "./wire.ts";

/** What a call is to suffer instead of, before or after being handled. */
export type Fault =
  /** An error of WhatsApp's. */
  | { readonly kind: "code"; readonly code: RefusalCode }
  /** A message that is taken, and told to have failed. */
  | { readonly kind: "told"; readonly code: RefusalCode }
  /** 500 as JSON, or 502 as a proxy's page. */
  | { readonly kind: "internal" | "bad gateway" }
  /** The call was handled, and 500 is the answer. */
  | { readonly kind: "internal after" }
  /** The connection breaks; after the call was handled, it was done all the same. */
  | { readonly kind: "reset before" | "reset after" }
  /** Something happens just before the call is handled, or just after, and no answer comes: such as the end of whoever called. */
  | { readonly kind: "meets"; readonly when: "before" | "after"; readonly act: () => void }
  /** The answer takes this much longer, in the fake's milliseconds. */
  | { readonly kind: "slow"; readonly ms: number };

/** The faults that wait for calls. */
export class Faults {
  readonly #waiting: {
    readonly route: string;
    readonly fault: Fault;
    readonly isMeant: (body: MessageBody) => boolean;
    times: number;
  }[] = [];

  /** @param isMeant which messages it is for; any unless given */
  add(
    route: string,
    fault: Fault,
    times: number,
    isMeant: (body: MessageBody) => boolean = () => true,
  ): void {
    this.#waiting.push({ route, fault, isMeant, times });
  }

  /** The fault that strikes a call, if any. */
  take(route: string, body: MessageBody): Fault | undefined {
    const found = this.#waiting.find((one) => one.route === route && one.times > 0 && one.isMeant(body));
    if (!found) return undefined;
    found.times -= 1;
    return found.fault;
  }
}
