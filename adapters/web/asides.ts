import type { Address } from "../../src/seam/values.ts";
import type { PagePerson } from "./person.ts";
import type { AsideBody } from "./wire.ts";

/** Questions whose answers are read at once where they were asked, beside the conversation and without a trace in it. */
export class Asides {
  readonly #open = new Map<string, AsideBody[]>();

  /**
   * Asks the core something.
   * @param person who asks
   * @param ask is given the address that answers are to be sent to
   * @returns what came there until it was done; what comes later is said in the conversation
   */
  async answersTo(
    { address }: Pick<PagePerson, "address">,
    ask: (address: Address) => Promise<unknown>,
  ): Promise<readonly AsideBody[]> {
    const aside = crypto.randomUUID();
    const answers: AsideBody[] = [];
    this.#open.set(aside, answers);
    try {
      await ask({ ...address, aside });
      return answers;
    } finally {
      this.#open.delete(aside);
    }
  }

  /** Takes what is for one who still waits for it. What is told of a job is for the conversation. */
  take({ aside }: Address, body: AsideBody): boolean {
    const answers = typeof aside === "string" ? this.#open.get(aside) : undefined;
    if (!answers || ("job" in body && body.job)) return false;
    answers.push(body);
    return true;
  }
}
