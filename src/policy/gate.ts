import type { Account } from "../accounts/accounts.ts";
import type { Origin } from "../chat/surface.ts";
import type { Tags, UserId } from "../chat/values.ts";
import type { Config } from "../config.ts";
import { ReelayError } from "../errors.ts";
import type { Groups } from "../groups/groups.ts";
import { countJobs } from "../jobs/count.ts";
import type { Within } from "../jobs/ledger.ts";
import { PartnerBook } from "../partners/partner-book.ts";
import type { People } from "../people/people.ts";
import type { Database } from "../storage/database.ts";
import { capsOfPartner, type PartnerCap } from "./caps.ts";
import { type Decision, decide, type PersonCap, refusalHere, type Request } from "./decision.ts";
import { Tally } from "./tally.ts";

/** What the gate works with. */
export interface GateParts {
  readonly config: Config;
  readonly people: People;
  readonly groups: Groups;
  readonly tally: Tally;
}

/** The one gate before a job is accepted: gathers what the rules look at. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /**
   * Lets through what a group's own rules allow there.
   * @throws ReelayError `room_not_allowed`, `operation_not_allowed`
   */
  async admit({ chat, room }: Origin, operation: string): Promise<void> {
    const refusal = refusalHere(room, operation, await this.#parts.groups.of(chat));
    if (refusal) throw new ReelayError(refusal.code, refusal.params);
  }

  /** Whether somebody may make something. */
  async check(
    origin: Origin,
    account: Account,
    content: Pick<Request, "text" | "avoided" | "photos" | "mature">,
  ): Promise<Decision> {
    const { config, people, tally } = this.#parts;
    const person = await people.of(origin.user);
    const reached = await tally.reached(await this.#capsOf(origin, account));
    return decide({ ...content, origin, person, reached }, config.blockedWords);
  }

  /**
   * What counts a job that begins now, to be done where it is written: of several at the same moment only as many
   * begin as may. It throws ReelayError `daily_cap`, `chat_cap`, `partner_cap`; `not_invited` where a partner was
   * removed meanwhile.
   */
  async counting(origin: Origin, account: Account, { inAppUsername }: Tags): Promise<Within> {
    if (origin.audience === "partner")
      return (transaction) => countForPartner(transaction, origin.user, inAppUsername);
    const caps = await this.#capsOf(origin, account);
    return async (transaction) => {
      const reached = await new Tally(transaction).begin(caps);
      if (reached) throw new ReelayError(reached.code, { max: reached.max });
    };
  }

  /** Caps are for other people's tokens; play money and one's own have none. A partner's are counted apart. */
  async #capsOf({ user, chat, audience }: Origin, { source, keyId }: Account): Promise<readonly PersonCap[]> {
    const { config, groups } = this.#parts;
    if (source === "own" || source === "sandbox" || audience === "partner") return [];
    const { memberDaily } = source === "group" ? await groups.of(chat) : {};
    // Counted all the same: managers are told how much their group's key was used.
    const inChat = source === "group" ? Number.POSITIVE_INFINITY : config.chatDailyCap;
    return [
      { code: "daily_cap", period: "day", keyId, by: user, max: memberDaily ?? config.dailyCap },
      ...(chat ? [{ code: "chat_cap", period: "day", keyId, by: chat, max: inChat } as const] : []),
    ];
  }
}

/** Whoever pays: these caps are the operator's wish for the partner. Read anew, because they may have just changed. */
async function countForPartner(
  transaction: Pick<Database, "kysely">,
  user: UserId,
  username: string,
): Promise<void> {
  const partner = await new PartnerBook(transaction).ofUser(user);
  if (!partner) throw new ReelayError("not_invited");
  const { begun, atOnce } = capsOfPartner(partner, username);
  for (const cap of atOnce)
    if ((await countJobs(transaction, { ...cap.jobs, goingOn: true })) >= cap.max) throw capReached(cap);
  const reached = await new Tally(transaction).begin(begun);
  if (reached) throw capReached(reached);
}

function capReached({ max, period, whose }: PartnerCap<"day" | "month" | "at_once">): ReelayError {
  return new ReelayError("partner_cap", { max, period, whose });
}
