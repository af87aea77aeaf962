import { atMost } from "../../src/common/time.ts";
import type { Address } from "../../src/seam/values.ts";
import type { PagePerson } from "./person.ts";
import type { AsideBody } from "./wire.ts";

/** For how long more is waited for once something was said, in milliseconds: it may be that the rest takes minutes. */
const MORE_MS = 2_000;

/** Who waits for answers. */
interface Waiting {
  readonly answers: AsideBody[];
  /** To be called for each that comes. */
  readonly heard: () => void;
}

/** Questions whose answers are read at once where they were asked, beside the conversation and without a trace in it. */
export class Asides {
  readonly #open = new Map<string, Waiting>();
  readonly #failed: (error: unknown) => void;
  readonly #moreMs: number;

  /**
   * @param failed hears why something failed that nobody waits for any more
   * @param moreMs for how long more is waited for once something was said, in milliseconds
   */
  constructor(failed: (error: unknown) => void, moreMs = MORE_MS) {
    this.#failed = failed;
    this.#moreMs = moreMs;
  }

  /**
   * Asks the core something.
   * @param person who asks
   * @param ask is given the address that answers are to be sent to
   * @returns what came there until it was done, or for a moment after the first; what comes later is said in the conversation
   */
  async answersTo(
    { address }: Pick<PagePerson, "address">,
    ask: (address: Address) => Promise<unknown>,
  ): Promise<readonly AsideBody[]> {
    const aside = crypto.randomUUID();
    const { promise: said, resolve: heard } = Promise.withResolvers<void>();
    const answers: AsideBody[] = [];
    this.#open.set(aside, { answers, heard });
    try {
      const end = ask({ ...address, aside });
      await Promise.race([end, said]);
      if (!(await atMost(this.#moreMs, end))) end.catch(this.#failed);
      return answers;
    } finally {
      this.#open.delete(aside);
    }
  }

  /** Takes what is for one who still waits for it. What is told of a job is for the conversation. */
  take({ aside }: Address, body: AsideBody): boolean {
    const waiting = typeof aside === "string" ? this.#open.get(aside) : undefined;
    if (!waiting || ("job" in body && body.job)) return false;
    waiting.answers.push(body);
    waiting.heard();
    return true;
  }
}
