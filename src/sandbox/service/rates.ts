import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";

/** How a window is counted: any stretch of time, or stretches that follow each other. */
export type Counting = "sliding" | "fixed";

/** The published groups, and that of image pro, whose limit the contract does not show. */
export type SandboxGroup = RateGroup | "imgpro";

const LIMITS: Readonly<Record<SandboxGroup, number>> = { ...RATE_LIMITS, imgpro: 5 };

/**
 * The published rates (section 8.1). A request counts for its IP and for its key; it is refused when either
 * is at its limit; a refused request counts for neither, unless told otherwise.
 */
export class Rates {
  readonly #windowMs: number;
  readonly #counting: Counting;
  readonly #now: () => number;
  readonly #countsRefused: boolean;
  readonly #logs = new Map<string, number[]>();

  /**
   * @param windowMs length of the window
   * @param now a clock in milliseconds that never goes back
   * @param countsRefused whether refused requests count as well
   */
  constructor(windowMs: number, counting: Counting, now: () => number, countsRefused = false) {
    this.#windowMs = windowMs;
    this.#counting = counting;
    this.#now = now;
    this.#countsRefused = countsRefused;
  }

  /**
   * Counts one request.
   * @param subjects whom it counts for: the IP, and the account where the key is known
   * @returns false when one of them is at the group's limit
   */
  take(group: SandboxGroup, subjects: readonly string[]): boolean {
    const now = this.#now();
    const logs = subjects.map((subject) => this.#recent(`${group} ${subject}`, now));
    const fits = logs.every((log) => log.length < LIMITS[group]);
    if (fits || this.#countsRefused) for (const log of logs) log.push(now);
    return fits;
  }

  #recent(name: string, now: number): number[] {
    const log = (this.#logs.get(name) ?? []).filter((at) =>
      this.#counting === "sliding"
        ? at > now - this.#windowMs
        : Math.floor(at / this.#windowMs) === Math.floor(now / this.#windowMs),
    );
    this.#logs.set(name, log);
    return log;
  }
}
