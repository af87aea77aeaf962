import type { Account } from "../accounts/accounts.ts";
import type { Origin } from "../chat/surface.ts";
import type { Config } from "../config.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { People } from "../people/people.ts";
import { type Decision, decide, type Request } from "./decision.ts";

/** What the gate works with. */
export interface GateParts {
  readonly config: Config;
  readonly people: People;
  readonly ledger: Ledger;
}

/** The one gate before a job is accepted: gathers what the rules look at. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Whether somebody may make something. */
  async check(
    origin: Origin,
    account: Account,
    content: Pick<Request, "text" | "photos" | "mature">,
  ): Promise<Decision> {
    const { config, people } = this.#parts;
    const rules = {
      blockedWords: config.blockedWords,
      capPerPerson: config.dailyCap,
      capPerChat: config.chatDailyCap,
    };
    const person = await people.of(origin.user);
    return decide({ ...content, origin, person, shared: await this.#sharedUse(origin, account) }, rules);
  }

  /** Caps are for the operator's tokens; play money and one's own have none. */
  async #sharedUse({ user, chat }: Origin, { source, keyId }: Account): Promise<Request["shared"]> {
    if (source !== "operator") return undefined;
    const { ledger } = this.#parts;
    const since = new Date().setUTCHours(0, 0, 0, 0);
    return {
      byPerson: await ledger.count({ keyId, user, since }),
      inChat: chat === undefined ? 0 : await ledger.count({ keyId, chat, since }),
    };
  }
}
