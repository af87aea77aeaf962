import { type Caller, type Partners, partnerVersion } from "../../seam/access/partners.ts";
import type { CountBegun, PartnerBook } from "./partner-book.ts";

/**
 * Lets in by test tokens. Who has one is known where all tokens are; what is made with it goes by a copy of the partner, beside
 * what was made: so caps are the same, and what counts for them is not.
 */
export class TestAuthenticator implements Partners {
  readonly #live: Partners;
  readonly #copies: Pick<PartnerBook, "copy">;
  readonly #countBegun: CountBegun;
  /** What each partner was when they were copied last. */
  readonly #copied = new Map<string, string>();

  /**
   * @param live knows all tokens, and lets in by those for tests alone
   * @param copies where partners are copied to
   */
  constructor(live: Partners, copies: Pick<PartnerBook, "copy">, countBegun: CountBegun) {
    this.#live = live;
    this.#copies = copies;
    this.#countBegun = countBegun;
  }

  async authenticate(token: string): Promise<Caller | undefined> {
    const caller = await this.#live.authenticate(token);
    if (caller) await this.#copy(caller);
    return caller;
  }

  allowsOrigin(origin: string): Promise<boolean> {
    return this.#live.allowsOrigin(origin);
  }

  isGood(caller: Caller): Promise<boolean> {
    return this.#live.isGood(caller);
  }

  async #copy({ partner }: Caller): Promise<void> {
    const version = partnerVersion(partner);
    if (this.#copied.get(partner.id) === version) return;
    await this.#copies.copy(partner, this.#countBegun);
    this.#copied.set(partner.id, version);
  }
}
