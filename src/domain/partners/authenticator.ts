import type { Audit } from "../audit/audit.ts";
import {
  type Caller,
  modeOf,
  partnerUser,
  type Partners,
  type TokenMode,
} from "../../seam/access/partners.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { PartnerBook } from "./partner-book.ts";
import type { TokenUses } from "./token-uses.ts";
import { currentTime } from "../../common/time.ts";

/** How often it is written down that the same expired token is still used, in milliseconds. */
const TOLD_EVERY_MS = 24 * 60 * 60_000;

/** What tokens are looked at with. */
interface AuthenticatorParts {
  readonly book: Pick<PartnerBook, "authenticate" | "find" | "list">;
  readonly uses: Pick<TokenUses, "note">;
  readonly audit: Pick<Audit, "write">;
  readonly log: Logger;
  /** Which tokens let in; all others are nobody's. */
  readonly mode: TokenMode;
  /** Milliseconds since 1970; by default the clock's. */
  readonly now?: () => number;
}

/** Lets partners in by their tokens, and knows when those were used. */
export class Authenticator implements Partners {
  readonly #parts: AuthenticatorParts;
  readonly #now: () => number;
  /** When it was last written down of an expired token, by its id. */
  readonly #told = new Map<string, number>();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? currentTime;
  }

  async authenticate(token: string): Promise<Caller | undefined> {
    const { book, uses, log, mode } = this.#parts;
    if (modeOf(token) !== mode) return undefined;
    const caller = await book.authenticate(token);
    if (!caller) return undefined;
    const { expiresAt, id } = caller.token;
    if (expiresAt !== undefined && expiresAt <= this.#now()) {
      await this.#tellExpired(caller);
      throw new ReelayError("token_expired", { at: expiresAt });
    }
    // Nobody waits for it, and nothing depends on it.
    void uses
      .note(caller.partner.id, id)
      .catch((err: unknown) => log.warn({ err }, "The use of a token could not be written"));
    return caller;
  }

  async allowsOrigin(origin: string): Promise<boolean> {
    const pages = await this.#parts.book.list();
    return pages.some(({ partner: { origins = [] } }) => origins.includes(origin));
  }

  async isGood({ partner, token }: Caller): Promise<boolean> {
    try {
      const { tokens } = await this.#parts.book.find(partner.id);
      const kept = tokens.find(({ id }) => id === token.id);
      return kept !== undefined && (kept.expiresAt === undefined || kept.expiresAt > this.#now());
    } catch (error) {
      if (error instanceof ReelayError && error.code === "partner_unknown") return false;
      throw error;
    }
  }

  async #tellExpired({ partner, token }: Caller): Promise<void> {
    const now = this.#now();
    if (Math.abs(now - (this.#told.get(token.id) ?? -Infinity)) < TOLD_EVERY_MS) return;
    this.#told.set(token.id, now);
    const user = partnerUser(partner.id);
    await this.#parts.audit.write({ act: "token_expired", user, surface: "http", rule: token.id });
  }
}
